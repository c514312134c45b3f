//! The engine's side: lets the handler work and carries out what it asks for meanwhile.

use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::task::Poll;
use std::time::Duration;

use pm_mcp_domain::limit::Limit;
use pm_mcp_domain::request::ProgressToken;
use pm_mcp_domain::wire::ProgressNotification;
use pm_mcp_ports::driven::Clock;
use pm_mcp_ports::driving::Outbox;
use pm_mcp_ports::feature::HandlerFault;

use super::progress::Report;
use super::request::Request;
use super::scope::{Event, Exchange, TaskWish};

/// A handler at work. It owns what it needs, so that it can go on in a task.
pub(crate) type HandlerFuture<T> = Pin<Box<dyn Future<Output = Result<T, HandlerFault>> + Send>>;

/// The same at work, wherever it stands.
pub(crate) type Working<'w, T> = Pin<&'w mut (dyn Future<Output = Result<T, HandlerFault>> + Send + 'w)>;

/// How the work of a handler ended, as far as the request is concerned.
pub(crate) enum Driven<T> {
    /// It is done.
    Done(Result<T, HandlerFault>),
    /// Nobody waits for the answer any more.
    PeerGone,
}

/// Why a handler stopped being waited for.
pub(crate) enum Left {
    /// It wants to go on as a task.
    Wish(TaskWish),
    /// It took longer than adaptive work is waited for.
    Budget,
}

impl Request<'_> {
    /// Lets a handler work that stays with its request.
    ///
    /// Most handlers are ready at once, so the first poll is made without any of the rest. That is boxed: most calls never
    /// come there, and all of them move what this one needs.
    pub(crate) async fn drive<T: Send>(
        &self,
        exchange: &Exchange,
        mut work: Working<'_, T>,
        outbox: &mut dyn Outbox,
    ) -> Driven<T> {
        match poll_once(work.as_mut()).await {
            Poll::Ready(done) if !exchange.wants_progress() => Driven::Done(done),
            first => Box::pin(self.stay(exchange, work, first, outbox)).await,
        }
    }

    /// Lets a handler work until it is done, or until it is time to go on as a task: when the handler wishes, or when the
    /// budget is used up.
    pub(crate) async fn drive_or_leave<T: Send>(
        &self,
        exchange: &Exchange,
        mut work: Working<'_, T>,
        inline_budget: Option<Duration>,
        outbox: &mut dyn Outbox,
    ) -> Result<Driven<T>, Left> {
        let first = poll_once(work.as_mut()).await;
        self.go_on(exchange, work, first, inline_budget, outbox).await
    }

    /// Lets a handler that was polled once work on, with its request.
    pub(crate) async fn stay<T: Send>(
        &self,
        exchange: &Exchange,
        mut work: Working<'_, T>,
        first: Poll<Result<T, HandlerFault>>,
        outbox: &mut dyn Outbox,
    ) -> Driven<T> {
        match self.go_on(exchange, work.as_mut(), first, None, outbox).await {
            Ok(driven) => driven,
            // Nobody allowed this work to become a task.
            Err(Left::Wish(_) | Left::Budget) => Driven::Done(work.await),
        }
    }

    async fn go_on<T: Send>(
        &self,
        exchange: &Exchange,
        work: Working<'_, T>,
        first: Poll<Result<T, HandlerFault>>,
        inline_budget: Option<Duration>,
        outbox: &mut dyn Outbox,
    ) -> Result<Driven<T>, Left> {
        let token = self.progress;
        let done = match first {
            Poll::Ready(done) => done,
            Poll::Pending => {
                let patience =
                    Patience { request_time: self.core.settings.limits.request_time, inline_budget };
                let clock = &*self.core.ports.clock;
                match wait(exchange, work, token, patience, clock, outbox).await {
                    Waited::Done(done) => done,
                    Waited::PeerGone => return Ok(Driven::PeerGone),
                    Waited::Left(left) => return Err(left),
                }
            }
        };
        while let Some(report) = exchange.last_report() {
            if !send(token, &report, outbox).await {
                return Ok(Driven::PeerGone);
            }
        }
        Ok(Driven::Done(done))
    }
}

/// What comes of polling `work` once.
async fn poll_once<T>(mut work: Working<'_, T>) -> Poll<Result<T, HandlerFault>> {
    poll_fn(|task| Poll::Ready(work.as_mut().poll(task))).await
}

/// How long the work is waited for.
#[derive(Clone, Copy, Debug)]
struct Patience {
    /// Until the request fails.
    request_time: Duration,
    /// Until adaptive work becomes a task, if it may.
    inline_budget: Option<Duration>,
}

/// How waiting for a handler ended.
enum Waited<T> {
    Done(Result<T, HandlerFault>),
    PeerGone,
    Left(Left),
}

/// Waits for a handler that was not ready at once.
async fn wait<T>(
    exchange: &Exchange,
    mut work: Working<'_, T>,
    token: Option<ProgressToken<'_>>,
    patience: Patience,
    clock: &dyn Clock,
    outbox: &mut dyn Outbox,
) -> Waited<T> {
    let start = clock.now();
    let deadline = clock.sleep_until(start.after(patience.request_time));
    let budget = async {
        match patience.inline_budget {
            Some(budget) => clock.sleep_until(start.after(budget)).await,
            None => std::future::pending().await,
        }
    };
    tokio::pin!(deadline, budget);
    loop {
        tokio::select! {
            biased;
            done = work.as_mut() => return Waited::Done(done),
            event = exchange.next_event() => match event {
                Event::Progress(report) => {
                    if !send(token, &report, outbox).await {
                        return Waited::PeerGone;
                    }
                }
                Event::StartTask(wish) => return Waited::Left(Left::Wish(wish)),
            },
            () = budget.as_mut() => return Waited::Left(Left::Budget),
            () = deadline.as_mut() => {
                exchange.reached(Limit::RequestTime);
                let limit_ms = patience.request_time.as_millis();
                return Waited::Done(Err(HandlerFault::TimedOut { limit_ms }));
            }
        }
    }
}

/// Sends a report; says whether somebody still reads.
async fn send(token: Option<ProgressToken<'_>>, report: &Report, outbox: &mut dyn Outbox) -> bool {
    let Some(token) = token else { return true };
    let Report { progress, total, message } = report;
    let notification =
        ProgressNotification { token, progress: *progress, total: *total, message: message.as_deref() };
    match serde_json::to_vec(&notification) {
        Ok(message) => outbox.send(message).await.is_ok(),
        Err(_) => true,
    }
}
