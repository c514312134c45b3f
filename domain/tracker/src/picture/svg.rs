//! The picture as SVG.

use core::fmt::{self, Write};

use super::lines::{BOX, Drawing, draw};
use super::sketch::{Arrow, Picture, Shape, Stroke};
use super::words::{cut, plain, two_lines, width, xml};

const MARGIN: f64 = 20.0;
/// Room for the caption above and the legend below.
const HEAD: f64 = 26.0;
const FOOT: f64 = 58.0;
/// The least width, which the legend needs.
const NARROW: f64 = 640.0;

/// The picture as an SVG document: legible on light and on dark ground, without scripts, faces or pictures from
/// elsewhere.
#[must_use]
pub fn svg(picture: &Picture) -> String {
    let mut document = String::new();
    // Writing to a string does not fail.
    let _always_ok = write(&mut document, picture, &draw(picture));
    document
}

fn write(out: &mut String, picture: &Picture, drawing: &Drawing) -> fmt::Result {
    let whole_width = drawing.width.max(NARROW) + 2.0 * MARGIN;
    let whole_height = drawing.height + 2.0 * MARGIN + HEAD + FOOT;
    let caption = xml(&picture.caption());
    writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{whole_width:.0}\" height=\"{whole_height:.0}\" \
         viewBox=\"0 0 {whole_width:.0} {whole_height:.0}\" role=\"img\" aria-label=\"{caption}\">"
    )?;
    writeln!(out, "<title>{caption}</title>")?;
    style(out, picture)?;
    heads(out)?;
    writeln!(out, "<rect class=\"ground\" width=\"100%\" height=\"100%\"/>")?;
    writeln!(out, "<text class=\"caption\" x=\"{MARGIN}\" y=\"{:.0}\">{caption}</text>", MARGIN + 10.0)?;
    // Centred, where the legend is wider than the drawing.
    let left = (whole_width - drawing.width) / 2.0;
    writeln!(out, "<g transform=\"translate({left:.1} {:.1})\">", MARGIN + HEAD)?;
    for (arrow, points) in picture.arrows.iter().zip(&drawing.ways) {
        self::arrow(out, arrow, points, drawing.downwards)?;
    }
    for (shape, corner) in picture.shapes.iter().zip(&drawing.boxes) {
        self::shape(out, shape, *corner)?;
    }
    for (arrow, points) in picture.arrows.iter().zip(&drawing.ways) {
        label(out, arrow, points)?;
    }
    writeln!(out, "</g>")?;
    legend(out, picture, MARGIN + HEAD + drawing.height + 30.0)?;
    writeln!(out, "</svg>")
}

fn style(out: &mut String, picture: &Picture) -> fmt::Result {
    writeln!(out, "<style>")?;
    writeln!(out, "text{{font:12px system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',sans-serif}}")?;
    writeln!(out, ".ground{{fill:#fff}}.caption{{font-weight:600;font-size:14px}}")?;
    writeln!(
        out,
        "text{{fill:#1c2430}}.soft{{fill:#566072;font-size:10.5px}}.id{{font-weight:600;font-size:11px}}"
    )?;
    writeln!(out, ".box{{stroke-width:1.2}}.asked{{stroke-width:3}}.missing .box{{stroke-dasharray:4 3}}")?;
    writeln!(out, ".way{{fill:none;stroke:#3f4b5e;stroke-width:1.5}}.head{{fill:#3f4b5e}}")?;
    writeln!(out, ".contains{{stroke:#a3adbb;stroke-width:1.3}}.dot{{fill:#a3adbb}}")?;
    writeln!(out, ".other{{stroke:#8a56c2;stroke-dasharray:5 4}}.purple{{fill:#8a56c2}}")?;
    writeln!(out, ".words{{font-size:10px;fill:#6d3fa3;paint-order:stroke;stroke:#fff;stroke-width:4px}}")?;
    writeln!(out, ".canceled .name{{text-decoration:line-through}}")?;
    for look in picture.looks() {
        let colours = look.colours();
        writeln!(
            out,
            ".{0} .box{{fill:{1};stroke:{2}}}.{0} .bar{{fill:{2}}}",
            look.class(),
            colours.fill,
            colours.line
        )?;
    }
    writeln!(out, "@media (prefers-color-scheme:dark){{")?;
    writeln!(out, ".ground{{fill:#14181f}}text{{fill:#e8ecf2}}.soft{{fill:#a9b3c1}}")?;
    writeln!(
        out,
        ".way{{stroke:#b6c0ce}}.head{{fill:#b6c0ce}}.contains{{stroke:#5d6878}}.dot{{fill:#5d6878}}"
    )?;
    writeln!(out, ".other{{stroke:#b690e8}}.purple{{fill:#b690e8}}.words{{fill:#cdb2f2;stroke:#14181f}}")?;
    for look in picture.looks() {
        let colours = look.colours();
        writeln!(
            out,
            ".{0} .box{{fill:{1};stroke:{2}}}.{0} .bar{{fill:{2}}}",
            look.class(),
            colours.dark_fill,
            colours.dark_line
        )?;
    }
    writeln!(out, "}}")?;
    writeln!(out, "</style>")
}

fn heads(out: &mut String) -> fmt::Result {
    writeln!(out, "<defs>")?;
    for (id, class) in [("head", "head"), ("purple", "purple")] {
        writeln!(
            out,
            "<marker id=\"{id}\" viewBox=\"0 0 8 8\" refX=\"7.4\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" \
             markerUnits=\"userSpaceOnUse\" orient=\"auto\"><path class=\"{class}\" d=\"M0 0 8 4 0 8z\"/></marker>"
        )?;
    }
    writeln!(
        out,
        "<marker id=\"dot\" viewBox=\"0 0 8 8\" refX=\"4\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" \
         markerUnits=\"userSpaceOnUse\"><circle class=\"dot\" cx=\"4\" cy=\"4\" r=\"3.2\"/></marker>"
    )?;
    writeln!(out, "</defs>")
}

fn arrow(out: &mut String, arrow: &Arrow, points: &[(f64, f64)], downwards: bool) -> fmt::Result {
    let Some(((x, y), rest)) = points.split_first() else { return Ok(()) };
    let (class, mark) = marks(arrow);
    write!(out, "<path class=\"way{class}\"{mark} d=\"M{x:.1} {y:.1}")?;
    if let [(bend_x, bend_y), (end_x, end_y)] = rest
        && arrow.from == arrow.to
    {
        write!(
            out,
            "C{x:.1} {0:.1} {bend_x:.1} {0:.1} {bend_x:.1} {bend_y:.1}S{1:.1} {end_y:.1} {end_x:.1} {end_y:.1}",
            y - 22.0,
            bend_x + 4.0
        )?;
        return writeln!(out, "\"/>");
    }
    let mut before = (*x, *y);
    for (x, y) in rest {
        if downwards {
            let half = (before.1 + y) / 2.0;
            write!(out, "C{:.1} {half:.1} {x:.1} {half:.1} {x:.1} {y:.1}", before.0)?;
        } else {
            let half = (before.0 + x) / 2.0;
            write!(out, "C{half:.1} {:.1} {half:.1} {y:.1} {x:.1} {y:.1}", before.1)?;
        }
        before = (*x, *y);
    }
    writeln!(out, "\"/>")
}

/// The classes and markers of an arrow.
const fn marks(arrow: &Arrow) -> (&'static str, &'static str) {
    match (arrow.stroke, arrow.headed) {
        (Stroke::Order, _) => ("", " marker-end=\"url(#head)\""),
        (Stroke::Contains, _) => (" contains", " marker-start=\"url(#dot)\""),
        (Stroke::Other, true) => (" other", " marker-end=\"url(#purple)\""),
        (Stroke::Other, false) => (" other", ""),
    }
}

fn label(out: &mut String, arrow: &Arrow, points: &[(f64, f64)]) -> fmt::Result {
    if arrow.words.is_empty() || arrow.from == arrow.to {
        return Ok(());
    }
    let middle = points.len() / 2;
    let (Some(before), Some(after)) = (points.get(middle.saturating_sub(1)), points.get(middle)) else {
        return Ok(());
    };
    let words = xml(&cut(&plain(&arrow.words), 90.0));
    writeln!(
        out,
        "<text class=\"words\" text-anchor=\"middle\" x=\"{:.1}\" y=\"{:.1}\">{words}</text>",
        (before.0 + after.0) / 2.0,
        (before.1 + after.1) / 2.0 + 3.5
    )
}

fn shape(out: &mut String, shape: &Shape, (left, top): (f64, f64)) -> fmt::Result {
    let look = shape.look;
    let asked = if shape.asked { " asked" } else { "" };
    writeln!(out, "<g class=\"{}\" transform=\"translate({left:.1} {top:.1})\">", look.class())?;
    let status = if shape.status.is_empty() { look.words() } else { shape.status.as_str() };
    let told = [shape.id.as_str(), shape.kind.as_str(), status, shape.title.as_str()];
    let told = told.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" · ");
    writeln!(out, "<title>{}</title>", xml(&plain(&told)))?;
    writeln!(out, "<rect class=\"box{asked}\" width=\"{}\" height=\"{}\" rx=\"6\"/>", BOX.0, BOX.1)?;
    writeln!(
        out,
        "<path class=\"bar\" d=\"M6 0H5V{0}H6A6 6 0 0 1 0 {1}V6A6 6 0 0 1 6 0z\"/>",
        BOX.1,
        BOX.1 - 6.0
    )?;
    let status = cut(&plain(&status.replace('_', " ")), 78.0);
    let room = BOX.0 - 12.0 - 8.0 - width(&status) * 0.88 - 8.0;
    writeln!(out, "<text class=\"id\" x=\"12\" y=\"15\">{}</text>", xml(&cut(&plain(&shape.id), room)))?;
    writeln!(
        out,
        "<text class=\"soft\" text-anchor=\"end\" x=\"{}\" y=\"15\">{}</text>",
        BOX.0 - 8.0,
        xml(&status)
    )?;
    let lines = two_lines(&shape.title, BOX.0 - 20.0);
    let first = if lines.len() == 1 { 38.0 } else { 32.0 };
    for (at, line) in lines.iter().enumerate() {
        let y = first + 15.0 * super::order::as_number(at);
        writeln!(out, "<text class=\"name\" x=\"12\" y=\"{y}\">{}</text>", xml(line))?;
    }
    writeln!(out, "</g>")
}

/// What colours and lines mean, for those that occur.
fn legend(out: &mut String, picture: &Picture, top: f64) -> fmt::Result {
    let mut x = MARGIN;
    for look in picture.looks() {
        writeln!(
            out,
            "<g class=\"{}\" transform=\"translate({x:.1} {:.1})\"><rect class=\"box\" width=\"16\" height=\"12\" rx=\"3\"/></g>",
            look.class(),
            top - 10.0
        )?;
        x = said(out, x + 22.0, top, look.words())?;
    }
    let mut x = MARGIN;
    let top = top + 22.0;
    let has = |stroke: Stroke| picture.arrows.iter().any(|arrow| arrow.stroke == stroke);
    for (stroke, class, marks, words) in [
        (Stroke::Order, "way", " marker-end=\"url(#head)\"", "the second waits for the first"),
        (Stroke::Contains, "way contains", " marker-start=\"url(#dot)\"", "the first contains the second"),
        (Stroke::Other, "way other", "", "as the words say"),
    ] {
        if has(stroke) {
            writeln!(
                out,
                "<path class=\"{class}\"{marks} d=\"M{:.1} {1:.1}H{2:.1}\"/>",
                x + 3.0,
                top - 4.0,
                x + 30.0
            )?;
            x = said(out, x + 37.0, top, words)?;
        }
    }
    Ok(())
}

/// Writes soft words and gives where the next may begin.
fn said(out: &mut String, x: f64, y: f64, words: &str) -> Result<f64, fmt::Error> {
    writeln!(out, "<text class=\"soft\" x=\"{x:.1}\" y=\"{y:.1}\">{}</text>", xml(words))?;
    Ok(x + width(words) * 0.9 + 20.0)
}
