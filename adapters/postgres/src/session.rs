//! The one connection that listens and sends.

use std::future::{Future, poll_fn};
use std::time::Duration;

use tokio_postgres::tls::NoTlsStream;
use tokio_postgres::{AsyncMessage, Client, Config, Connection, NoTls, Notification, Socket, Statement};

use crate::failure::Failure;
use crate::message::{Member, payloads};
use crate::outbox::Outbox;
use crate::pool::Connections;
use crate::settings::PgLimits;

/// A notification is gone with the server that it waits in, so that waiting for the disk would prove nothing.
const NOTHING_TO_KEEP: &str = "SET synchronous_commit = off";

/// A connection that says nothing for so long is asked whether it is still there.
const QUIET: Duration = Duration::from_secs(15);

/// So many bytes of messages go out in one transaction, or one message.
const BATCH: usize = 64 * 1024;

/// A session that listens to a channel.
pub(crate) struct Session {
    client: Client,
    connection: Connection<Socket, NoTlsStream>,
    notify: Statement,
    channel: String,
    limits: PgLimits,
}

impl Session {
    /// Connects and listens. From here on every notification of the channel comes in.
    pub(crate) async fn open(connections: &Connections, channel: &str) -> Result<Self, Failure> {
        let limits = connections.limits;
        let opened = tokio::time::timeout(limits.connect, listen(&connections.config, channel)).await;
        let (client, connection, notify) = opened.unwrap_or(Err(Failure::Unreachable(limits.connect)))?;
        Ok(Self { client, connection, notify, channel: channel.to_owned(), limits })
    }

    /// Sends what waits, and hands on what comes, until the session ends.
    pub(crate) async fn carry(
        self,
        member: &Member,
        outbox: &Outbox,
        mut hear: impl FnMut(&Notification),
    ) -> Failure {
        let Self { client, mut connection, notify, channel, limits } = self;
        let sending = async {
            let mut number = 0_u64;
            loop {
                let asked = match tokio::time::timeout(QUIET, outbox.take(BATCH)).await {
                    Ok(messages) => {
                        let mut pieces = Vec::new();
                        for message in messages {
                            number += 1;
                            pieces.extend(payloads(member, number, &message));
                        }
                        in_time(&limits, client.execute(&notify, &[&channel, &pieces])).await.map(drop)
                    }
                    Err(_) => in_time(&limits, client.batch_execute("")).await,
                };
                if let Err(failure) = asked {
                    return failure;
                }
                outbox.arrived();
            }
        };
        let hearing = async {
            loop {
                match heard(&mut connection).await {
                    Ok(Some(notification)) => hear(&notification),
                    Ok(None) => {}
                    Err(failure) => return failure,
                }
            }
        };
        tokio::select! {
            failure = hearing => failure,
            failure = sending => failure,
        }
    }
}

type Opened = (Client, Connection<Socket, NoTlsStream>, Statement);

async fn listen(config: &Config, channel: &str) -> Result<Opened, Failure> {
    let (client, mut connection) = config.connect(NoTls).await.map_err(Failure::Connect)?;
    let beginning = async {
        client.batch_execute(NOTHING_TO_KEEP).await.map_err(Failure::Statement)?;
        let notify = "SELECT pg_notify($1, piece) FROM unnest($2::text[]) AS piece";
        let notify = client.prepare(notify).await.map_err(Failure::Prepare)?;
        client.batch_execute(&format!("LISTEN {channel}")).await.map_err(Failure::Statement)?;
        Ok(notify)
    };
    let notify = {
        tokio::pin!(beginning);
        loop {
            tokio::select! {
                notify = &mut beginning => break notify?,
                // What comes already is from before anybody was told that this session hears.
                came = heard(&mut connection) => came.map(drop)?,
            }
        }
    };
    Ok((client, connection, notify))
}

/// The next notification; `None` for a message that is none.
async fn heard(connection: &mut Connection<Socket, NoTlsStream>) -> Result<Option<Notification>, Failure> {
    match poll_fn(|context| connection.poll_message(context)).await {
        Some(Ok(AsyncMessage::Notification(notification))) => Ok(Some(notification)),
        Some(Ok(_)) => Ok(None),
        Some(Err(fault)) => Err(Failure::Connect(fault)),
        None => Err(Failure::Ended),
    }
}

async fn in_time<T>(
    limits: &PgLimits,
    answer: impl Future<Output = Result<T, tokio_postgres::Error>>,
) -> Result<T, Failure> {
    let answer = tokio::time::timeout(limits.statement + Connections::GRACE, answer).await;
    answer.map_err(|_| Failure::Silent(limits.statement))?.map_err(Failure::Statement)
}
