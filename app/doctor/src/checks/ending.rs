//! How a server on standard streams ends.

use crate::finding::Report;
use crate::peer::StdioPeer;

const AREA: &str = "end";

/// Ends the server's input.
pub(crate) async fn ending(peer: StdioPeer, report: &mut Report) {
    match peer.end().await {
        Ok(Some(0)) => report.fine(AREA, "ends by itself when its input ends"),
        Ok(Some(status)) => report.doubtful(
            AREA,
            format!("ends with status {status} when its input ends"),
            "end with status 0: the end of the input is how hosts stop a server",
        ),
        Ok(None) => {
            report.doubtful(AREA, "is ended by a signal when its input ends", "end by itself, with status 0")
        }
        Err(error) => report.doubtful(
            AREA,
            format!("asked to end by the end of its input, it {error}"),
            "end when standard input ends; hosts kill what stays",
        ),
    }
}
