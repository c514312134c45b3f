//! The ports of every decorator.

use async_trait::async_trait;
use pm_mcp_domain::continuation::Nonce;
use pm_mcp_domain::ident::Principal;
use pm_mcp_domain::task::{TaskId, TaskRecord};
use pm_mcp_domain::time::Timestamp;
use pm_mcp_ports::driven::{
    BackendError, ConsumeError, CreateError, DuePlace, Durability, Page, RemoveError, ReplaceError,
    ReplayGuard, Revision, Stored, TaskStore,
};

use super::around::{Around, Call};
use super::faulty::Faulty;
use super::operation::Operation;
use super::recording::Recording;
use super::slow::Slow;

macro_rules! decorate {
    ($decorator:ident) => {
        #[deny(clippy::missing_trait_methods, reason = "a decorator lets nothing through undecorated")]
        #[async_trait]
        impl<S: TaskStore> TaskStore for $decorator<S> {
            fn durability(&self) -> Durability {
                self.inner.durability()
            }

            async fn create(&self, record: &TaskRecord) -> Result<Revision, CreateError> {
                let mut call = Call::new(Operation::Create, record.id.as_str());
                self.before(&mut call).await?;
                let done = self.inner.create(record).await;
                self.after(call, done.is_ok()).await?;
                done
            }

            async fn load(&self, id: &TaskId) -> Result<Option<Stored>, BackendError> {
                let mut call = Call::new(Operation::Load, id.as_str());
                self.before(&mut call).await?;
                let done = self.inner.load(id).await;
                self.after(call, done.is_ok()).await?;
                done
            }

            async fn replace(
                &self,
                record: &TaskRecord,
                expected: Revision,
            ) -> Result<Revision, ReplaceError> {
                let mut call = Call::new(Operation::Replace, record.id.as_str());
                self.before(&mut call).await?;
                let done = self.inner.replace(record, expected).await;
                self.after(call, done.is_ok()).await?;
                done
            }

            async fn remove(&self, id: &TaskId, expected: Revision) -> Result<(), RemoveError> {
                let mut call = Call::new(Operation::Remove, id.as_str());
                self.before(&mut call).await?;
                let done = self.inner.remove(id, expected).await;
                self.after(call, done.is_ok()).await?;
                done
            }

            async fn due(&self, by: Timestamp, page: Page<DuePlace>) -> Result<Vec<Stored>, BackendError> {
                let mut call = Call::new(Operation::Due, "");
                self.before(&mut call).await?;
                let done = self.inner.due(by, page).await;
                self.after(call, done.is_ok()).await?;
                done
            }

            async fn unfinished(&self, page: Page<TaskId>) -> Result<Vec<Stored>, BackendError> {
                let mut call = Call::new(Operation::Unfinished, "");
                self.before(&mut call).await?;
                let done = self.inner.unfinished(page).await;
                self.after(call, done.is_ok()).await?;
                done
            }

            async fn held(&self, principal: &Principal) -> Result<usize, BackendError> {
                let mut call = Call::new(Operation::Held, "");
                self.before(&mut call).await?;
                let done = self.inner.held(principal).await;
                self.after(call, done.is_ok()).await?;
                done
            }
        }

        #[deny(clippy::missing_trait_methods, reason = "a decorator lets nothing through undecorated")]
        #[async_trait]
        impl<G: ReplayGuard> ReplayGuard for $decorator<G> {
            async fn consume(
                &self,
                nonce: &Nonce,
                keep_until: Timestamp,
                now: Timestamp,
            ) -> Result<(), ConsumeError> {
                let unavailable = |fault: BackendError| ConsumeError::Unavailable(Box::new(fault));
                let mut call = Call::new(Operation::Consume, "");
                self.before(&mut call).await.map_err(unavailable)?;
                let done = self.inner.consume(nonce, keep_until, now).await;
                self.after(call, done.is_ok()).await.map_err(unavailable)?;
                done
            }
        }
    };
}

decorate!(Faulty);
decorate!(Recording);
decorate!(Slow);
