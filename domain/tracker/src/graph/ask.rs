//! From a question to the walk that answers it.

use super::query::{Direction, GraphQuery, GraphQueryError, Question};
use super::relation::Relation;
use super::steps::Steps;
use super::store::{Graph, Node};
use super::{GraphAnswer, audit, centrality, critical_path, cycles, paths, reach, redundancy};

impl Graph {
    /// Answers a question. The same graph and question give the same answer, in the same order.
    ///
    /// # Errors
    /// [`GraphQueryError::IdNeeded`] or [`GraphQueryError::TargetNeeded`] where the question needs them,
    /// [`GraphQueryError::UnknownItem`] for an id that neither exists nor is referred to.
    pub fn ask(&self, query: &GraphQuery) -> Result<GraphAnswer, GraphQueryError> {
        let about = self.named(query.id.as_deref())?;
        let needed = || about.ok_or(GraphQueryError::IdNeeded { question: query.question.name() });
        let own = |kind: Relation, direction: Direction| {
            if query.kinds.is_empty() {
                Steps::along(kind, direction)
            } else {
                Steps::among(&query.kinds, direction)
            }
        };
        Ok(match query.question {
            Question::Ancestors => {
                reach::answer(self, query, needed()?, &own(Relation::Parent, Direction::Out))
            }
            Question::Descendants => {
                reach::answer(self, query, needed()?, &own(Relation::Parent, Direction::In))
            }
            Question::Predecessors => {
                reach::answer(self, query, needed()?, &own(Relation::BlockedBy, Direction::Out))
            }
            Question::Successors => {
                reach::answer(self, query, needed()?, &own(Relation::BlockedBy, Direction::In))
            }
            Question::Paths => {
                let start = needed()?;
                let target = self.named(query.target.as_deref())?.ok_or(GraphQueryError::TargetNeeded)?;
                let steps = Steps::among(&query.kinds, query.direction.unwrap_or(Direction::Both));
                paths::answer(self, query, start, target, &steps)
            }
            Question::Impact => reach::answer(self, query, needed()?, &impact_steps(query)),
            Question::Cycles => cycles::answer(self, query, about),
            Question::CriticalPath => critical_path::answer(self, query, about),
            Question::Centrality => centrality::answer(self, query),
            Question::Redundancy => redundancy::answer(self, query),
            Question::Audit => audit::answer(self, query),
        })
    }

    fn named(&self, id: Option<&str>) -> Result<Option<Node>, GraphQueryError> {
        let Some(id) = id else { return Ok(None) };
        match self.node(id) {
            Some(node) => Ok(Some(node)),
            None => Err(GraphQueryError::UnknownItem { id: id.to_owned() }),
        }
    }
}

/// Lateness passes to what waits and up to what contains, so `parent` is followed the other way than the rest.
fn impact_steps(query: &GraphQuery) -> Steps {
    if let Some(direction) = query.direction {
        return Steps::among(&query.kinds, direction);
    }
    let kinds = if query.kinds.is_empty() {
        vec![Relation::BlockedBy, Relation::Parent]
    } else {
        query.kinds.iter().map(|kind| kind.clone().oriented().0).collect()
    };
    let way = |kind: &Relation| if *kind == Relation::Parent { Direction::Out } else { Direction::In };
    Steps::Of(
        kinds
            .into_iter()
            .map(|kind| {
                let way = way(&kind);
                (kind, way)
            })
            .collect(),
    )
}
