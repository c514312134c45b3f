//! Sources of skills that are wrong on purpose.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};

use async_trait::async_trait;
use pm_mcp_contract::skill_source::{FreshSkills, LAWS};
use pm_mcp_contract::{HarnessError, SampleSkills, SkillSourceHarness};
use pm_mcp_domain::skill::{
    ContentDigest, SKILL_FILE, Skill, SkillFile, SkillFilePath, SkillFiles, SkillLimits, SkillPath,
};
use pm_mcp_ports::feature::{HandlerFault, SkillSource};

use crate::caught::mutants;

const BYTES: &[u8] = b"what is to be done";

static GOOD: LazyLock<[SkillPath; 2]> = LazyLock::new(|| [path("good-one"), path("good-two")]);
static BAD: LazyLock<SkillPath> = LazyLock::new(|| path("bad"));
static LARGE: LazyLock<SkillPath> = LazyLock::new(|| path("large"));

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fault {
    None,
    ListsInAnyOrder,
    ListsTwice,
    FindsOnlyTheFirst,
    ReadsOtherBytes,
    ReadsWhatIsNotListed,
    ListsTheBad,
    LoadsAllForOne,
    TakesTheLarge,
    FollowsLinks,
}

fn path(name: &str) -> SkillPath {
    SkillPath::parse(name).unwrap()
}

fn link() -> SkillFilePath {
    SkillFilePath::parse("link").unwrap()
}

fn skill(path: &SkillPath) -> Arc<Skill> {
    let file = SkillFilePath::parse(SKILL_FILE).unwrap();
    let size = u64::try_from(BYTES.len()).unwrap();
    let files = SkillFiles::Listed(vec![SkillFile { path: file, digest: ContentDigest::of(BYTES), size }]);
    let head = serde_json::json!({"name": path.name(), "description": "For a test."});
    let head = head.as_object().unwrap().clone();
    Arc::new(Skill::new(path.clone(), head, files, &SkillLimits::default()).unwrap())
}

#[derive(Debug)]
struct Mutant {
    fault: Fault,
    spoiled: Arc<AtomicBool>,
}

#[async_trait]
impl SkillSource for Mutant {
    fn origin(&self) -> &str {
        "test"
    }

    async fn skills(&self) -> Result<Vec<Arc<Skill>>, HandlerFault> {
        let mut skills: Vec<_> = GOOD.iter().map(skill).collect();
        match self.fault {
            Fault::ListsInAnyOrder => skills.reverse(),
            Fault::ListsTwice => skills.push(skill(&GOOD[1])),
            Fault::ListsTheBad => skills.insert(0, skill(&BAD)),
            Fault::TakesTheLarge => skills.push(skill(&LARGE)),
            _ => {}
        }
        Ok(skills)
    }

    async fn skill(&self, path: &SkillPath) -> Result<Option<Arc<Skill>>, HandlerFault> {
        if self.fault == Fault::LoadsAllForOne && self.spoiled.load(Ordering::Relaxed) {
            return Err(HandlerFault::internal("another skill cannot be read"));
        }
        let known = if self.fault == Fault::FindsOnlyTheFirst { &GOOD[..1] } else { &GOOD[..] };
        Ok(known.contains(path).then(|| skill(path)))
    }

    async fn read(&self, skill: &SkillPath, file: &SkillFilePath) -> Result<Option<Vec<u8>>, HandlerFault> {
        let is_listed = GOOD.contains(skill) && file.as_str() == SKILL_FILE;
        let is_followed = *file == link() && self.fault == Fault::FollowsLinks;
        Ok(match self.fault {
            Fault::ReadsOtherBytes if is_listed => Some(b"what is to be left".to_vec()),
            Fault::ReadsWhatIsNotListed => Some(BYTES.to_vec()),
            _ => (is_listed || is_followed).then(|| BYTES.to_vec()),
        })
    }
}

struct Wrong(Fault);

#[async_trait]
impl SkillSourceHarness for Wrong {
    type Guard = ();

    async fn fresh(&self) -> Result<(Arc<dyn SkillSource>, SampleSkills, ()), HarnessError> {
        let spoiled = Arc::new(AtomicBool::new(false));
        let source = Mutant { fault: self.0, spoiled: Arc::clone(&spoiled) };
        let samples = SampleSkills {
            listed: GOOD.to_vec(),
            bad: vec![BAD.clone()],
            too_large: vec![LARGE.clone()],
            outside: vec![(GOOD[0].clone(), link())],
            spoil_others: Some(Box::new(move |_| spoiled.store(true, Ordering::Relaxed))),
        };
        Ok((Arc::new(source), samples, ()))
    }
}

async fn wrong(fault: Fault) -> FreshSkills {
    FreshSkills::of(Wrong(fault)).await.unwrap()
}

mod without_fault {
    use super::{Fault, Wrong};

    pm_mcp_contract::skill_source_contract!(Wrong(Fault::None));
}

mutants! {
    LAWS, wrong;
    sk_01_each_skill_is_listed_once_by_path sk_01_catches_a_list_in_any_order Fault::ListsInAnyOrder;
    sk_01_each_skill_is_listed_once_by_path sk_01_catches_a_skill_that_is_listed_twice Fault::ListsTwice;
    sk_02_every_listed_skill_is_found sk_02_catches_a_skill_that_is_not_found Fault::FindsOnlyTheFirst;
    sk_03_listed_files_read_as_listed sk_03_catches_other_bytes Fault::ReadsOtherBytes;
    sk_03_what_is_not_listed_reads_as_nothing sk_03_catches_a_file_that_is_not_listed Fault::ReadsWhatIsNotListed;
    sk_04_a_bad_skill_takes_nothing_from_the_others sk_04_catches_a_bad_skill_that_is_listed Fault::ListsTheBad;
    sk_05_one_skill_is_loaded_by_itself sk_05_catches_loading_all_for_one Fault::LoadsAllForOne;
    sk_06_what_is_too_large_is_left_out sk_06_catches_a_skill_that_is_too_large Fault::TakesTheLarge;
    sk_06_nothing_outside_is_read sk_06_catches_a_link_that_is_followed Fault::FollowsLinks;
}
