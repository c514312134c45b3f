//! The picture as Mermaid text.

use core::fmt::{self, Write};

use super::lines::draw;
use super::sketch::{Picture, Stroke};
use super::words::{cut, mermaid as escaped, plain};

/// Longest title in a box, in pixels of the drawing of our own.
const TITLE: f64 = 260.0;

/// The picture as a Mermaid flowchart.
#[must_use]
pub fn mermaid(picture: &Picture) -> String {
    let mut text = String::new();
    // Writing to a string does not fail.
    let _always_ok = write(&mut text, picture);
    text
}

fn write(out: &mut String, picture: &Picture) -> fmt::Result {
    writeln!(out, "flowchart {}", if draw(picture).downwards { "TB" } else { "LR" })?;
    writeln!(out, "  %% {}", escaped(&plain(&picture.caption())))?;
    for (at, shape) in picture.shapes.iter().enumerate() {
        let id = escaped(&plain(&shape.id));
        let title = escaped(&cut(&plain(&shape.title), TITLE));
        let name = if title.is_empty() { id } else { format!("{id}<br/>{title}") };
        writeln!(out, "  n{at}[\"{name}\"]:::{}", shape.look.class())?;
    }
    for arrow in &picture.arrows {
        let (from, to) = (arrow.from, arrow.to);
        match (arrow.stroke, arrow.headed) {
            (Stroke::Order, _) => writeln!(out, "  n{from} ==> n{to}")?,
            (Stroke::Contains, _) => writeln!(out, "  n{from} --- n{to}")?,
            (Stroke::Other, headed) => {
                let line = if headed { "-.->" } else { "-.-" };
                writeln!(out, "  n{from} {line}|\"{}\"| n{to}", escaped(&plain(&arrow.words)))?;
            }
        }
    }
    for look in picture.looks() {
        let colours = look.colours();
        // A text colour of its own keeps labels legible where the page is dark and the boxes stay light.
        writeln!(
            out,
            "  classDef {} fill:{},stroke:{},color:#1c2430",
            look.class(),
            colours.fill,
            colours.line
        )?;
    }
    for (at, shape) in picture.shapes.iter().enumerate().filter(|(_, shape)| shape.asked) {
        writeln!(out, "  style n{at} stroke-width:3px,stroke:{}", shape.look.colours().line)?;
    }
    Ok(())
}
