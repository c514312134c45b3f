//! Changes between processes that share the database.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use pm_mcp_domain::subscription::Change;
use pm_mcp_ports::driven::{Applied, BackendError, ChangeBus, ChangeFeed, PublishError, Retry};
use tokio::task::JoinHandle;
use tracing::{info, warn};

use crate::change::{News, decode, encode};
use crate::database::PgDatabase;
use crate::feeds::Feeds;
use crate::message::{Arrived, Assembly, Member};
use crate::outbox::Outbox;
use crate::session::Session;

const ATTACHING: &str = "listening for changes of other processes";

/// Carries changes between all processes that share the schema of a database, by `NOTIFY` and `LISTEN` on a channel with
/// the schema's name.
///
/// One connection beside those of the pool listens and sends; nothing is stored. It is made anew when it is lost, first
/// after 0.1 s and then ever less often, down to every 5 s. What was published meanwhile waits, up to
/// [`WAITING`](Self::WAITING) changes; what others published meanwhile is lost, so that every feed here yields `Lagged`
/// once the connection is back. When changes were lost on the way out, because too many waited or because it is not known
/// whether the last ones were sent, the other members are told, and their feeds yield `Lagged`.
///
/// A change of more than [`LONGEST`](Self::LONGEST) bytes is refused, and tells the others as much: their feeds yield
/// `Lagged`. Notifications carry 7,999 bytes, so that a longer change travels in several of one transaction.
///
/// What waits to be sent when the bus is dropped is lost; [`ChangeBus::sent`] waits for it.
#[derive(Debug)]
pub struct PgChangeBus {
    outbox: Arc<Outbox>,
    feeds: Arc<Feeds>,
    link: JoinHandle<()>,
}

impl PgChangeBus {
    /// How many changes may wait for one feed, and how many to be sent, unless told otherwise.
    pub const WAITING: NonZeroUsize = NonZeroUsize::new(1024).unwrap();

    /// How many bytes a change may have, in the form in which it travels.
    pub const LONGEST: usize = 256 * 1024;

    /// How many bytes may wait to be sent.
    const WAITING_BYTES: usize = 8 * 1024 * 1024;

    /// A new member of the bus of this database, on a connection of its own.
    ///
    /// # Errors
    ///
    /// When the database cannot be reached or does not let the session listen, or there is no random name for the member.
    pub async fn connect(database: &PgDatabase) -> Result<Self, BackendError> {
        Self::connect_with(database, Self::WAITING).await
    }

    /// The same, with room for so many changes that wait for one feed, and as many to be sent.
    ///
    /// # Errors
    ///
    /// As for [`connect`](Self::connect).
    pub async fn connect_with(database: &PgDatabase, waiting: NonZeroUsize) -> Result<Self, BackendError> {
        let member = random_name()?;
        let opened = Session::open(&database.connections, database.schema.as_str()).await;
        let session = opened.map_err(|failure| failure.of_read(ATTACHING))?;
        let outbox = Arc::new(Outbox::new(waiting.get(), Self::WAITING_BYTES));
        let feeds = Arc::new(Feeds::new(waiting));
        feeds.listen();
        let link = Link {
            database: database.clone(),
            member,
            outbox: Arc::clone(&outbox),
            feeds: Arc::clone(&feeds),
        };
        Ok(Self { outbox, feeds, link: tokio::spawn(link.hold(session)) })
    }
}

impl Drop for PgChangeBus {
    fn drop(&mut self) {
        self.link.abort();
    }
}

#[deny(clippy::missing_trait_methods, reason = "an adapter answers every call of the port itself")]
#[async_trait]
impl ChangeBus for PgChangeBus {
    fn publish(&self, change: &Change) -> Result<(), PublishError> {
        let message = encode(change).map_err(|fault| BackendError {
            operation: "writing a change for other processes",
            applied: Applied::No,
            retry: Retry::Never,
            source: Box::new(fault),
        })?;
        let bytes = message.len();
        if bytes > Self::LONGEST {
            self.outbox.lose();
            return Err(PublishError::TooLarge { bytes, limit: Self::LONGEST });
        }
        if self.outbox.put(message) {
            warn!(
                "more changes than can wait are not sent to other processes yet; they are told to look again"
            );
        }
        Ok(())
    }

    async fn sent(&self) {
        self.outbox.emptied().await;
    }

    async fn attach(&self) -> Result<Box<dyn ChangeFeed>, BackendError> {
        match self.feeds.attach() {
            Some(feed) => Ok(Box::new(feed)),
            None => Err(BackendError {
                operation: ATTACHING,
                applied: Applied::No,
                retry: Retry::Later,
                source: "the connection to the database is lost; it is being made anew".into(),
            }),
        }
    }
}

/// A name that no other member has.
fn random_name() -> Result<Member, BackendError> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|fault| BackendError {
        operation: "naming a member of the change bus",
        applied: Applied::No,
        retry: Retry::Later,
        source: fault.to_string().into(),
    })?;
    Ok(format!("{:032x}", u128::from_ne_bytes(bytes)))
}

/// Holds one session after the other.
struct Link {
    database: PgDatabase,
    member: Member,
    outbox: Arc<Outbox>,
    feeds: Arc<Feeds>,
}

impl Link {
    const FIRST_PAUSE: Duration = Duration::from_millis(100);
    const LONGEST_PAUSE: Duration = Duration::from_secs(5);

    async fn hold(self, mut session: Session) {
        loop {
            let failure = self.carry(session).await;
            self.feeds.go_deaf();
            let fault = failure.of_read(ATTACHING);
            warn!(?fault, "changes are not carried between processes for now");
            session = self.open().await;
            // Only now, that whatever comes next is heard; and what was under way may not have been sent.
            self.feeds.listen();
            self.outbox.lose();
            info!("changes are carried between processes again");
        }
    }

    async fn carry(&self, session: Session) -> crate::failure::Failure {
        let mut assembly = Assembly::new(self.member.clone(), PgChangeBus::LONGEST);
        let hear = |notification: &tokio_postgres::Notification| match assembly.take(notification.payload()) {
            Arrived::Nothing => {}
            Arrived::Message(message) => match decode(&message) {
                Some(News::Change(change)) => self.feeds.put(&change),
                Some(News::Gap) => self.feeds.lag(),
                None => self.unread(),
            },
            Arrived::Unreadable => self.unread(),
        };
        session.carry(&self.member, &self.outbox, hear).await
    }

    /// It may have been a change, such as one that only a newer version knows.
    fn unread(&self) {
        warn!("a notification of another process cannot be read; listeners are told to look again");
        self.feeds.lag();
    }

    async fn open(&self) -> Session {
        let mut pause = Self::FIRST_PAUSE;
        loop {
            tokio::time::sleep(pause).await;
            pause = (2 * pause).min(Self::LONGEST_PAUSE);
            match Session::open(&self.database.connections, self.database.schema.as_str()).await {
                Ok(session) => return session,
                Err(failure) => {
                    let fault = failure.of_read(ATTACHING);
                    tracing::debug!(?fault, "the database is tried again");
                }
            }
        }
    }
}
