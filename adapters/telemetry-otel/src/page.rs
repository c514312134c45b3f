//! All measures as Prometheus reads them.

use pm_mcp_ports::driving::{Figure, FigureKind};
use prometheus::proto::{Counter, Gauge, LabelPair, Metric, MetricFamily, MetricType};
use prometheus::{Encoder as _, TextEncoder};

use crate::measures::Measures;

/// What the page is sent as.
pub(crate) const CONTENT_TYPE: &str = prometheus::TEXT_FORMAT;

/// The measures of requests, and the server's own figures, in the text form of Prometheus.
pub(crate) fn page(measures: &Measures, figures: &[Figure]) -> Result<Vec<u8>, prometheus::Error> {
    let mut families = measures.registry.gather();
    families.extend(families_of(figures));
    let mut text = Vec::with_capacity(16 << 10);
    TextEncoder::new().encode(&families, &mut text)?;
    Ok(text)
}

/// Figures of one name stand together.
fn families_of(figures: &[Figure]) -> Vec<MetricFamily> {
    let mut families: Vec<MetricFamily> = Vec::new();
    let mut rest = figures;
    while let Some(first) = rest.first() {
        let end = rest.iter().take_while(|figure| figure.name == first.name).count();
        let (same, others) = rest.split_at(end);
        let mut family = MetricFamily::default();
        family.set_name(first.name.to_owned());
        family.set_help(first.meaning.to_owned());
        family.set_field_type(match first.kind {
            FigureKind::Counter => MetricType::COUNTER,
            FigureKind::Gauge => MetricType::GAUGE,
        });
        family.set_metric(same.iter().map(metric).collect());
        families.push(family);
        rest = others;
    }
    families
}

fn metric(figure: &Figure) -> Metric {
    let labels = figure.label.iter().map(|(name, value)| {
        let mut label = LabelPair::default();
        label.set_name((*name).to_owned());
        label.set_value((*value).to_owned());
        label
    });
    let mut metric = Metric::from_label(labels.collect());
    // Numbers beyond 2^53 lose their last digits, as Prometheus has no others.
    #[expect(clippy::cast_precision_loss, reason = "Prometheus knows floating-point numbers only")]
    let value = figure.value as f64;
    match figure.kind {
        FigureKind::Counter => {
            let mut counter = Counter::default();
            counter.set_value(value);
            metric.set_counter(counter);
        }
        FigureKind::Gauge => {
            let mut gauge = Gauge::default();
            gauge.set_value(value);
            metric.set_gauge(gauge);
        }
    }
    metric
}
