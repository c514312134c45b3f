//! Settings of a workspace, with the defaults of the format.
//!
//! Decides what a missing or unusable setting means. A settings file that lacks a required part is read, but the
//! workspace may not be written to: pm would take such a file for invalid and use another prefix.

use serde_json::Value;

use crate::item_id::normalize_prefix;

/// Parts that a settings file must have for pm to accept it, as JSON pointers and the kind of each.
const REQUIRED: [(&str, Kind); 20] = [
    ("/version", Kind::Number),
    ("/id_prefix", Kind::Text),
    ("/author_default", Kind::Text),
    ("/locks/ttl_seconds", Kind::Number),
    ("/output/default_format", Kind::Text),
    ("/extensions/enabled", Kind::List),
    ("/extensions/disabled", Kind::List),
    ("/search/score_threshold", Kind::Number),
    ("/search/max_results", Kind::Number),
    ("/search/embedding_model", Kind::Text),
    ("/search/embedding_batch_size", Kind::Number),
    ("/search/scanner_max_batch_retries", Kind::Number),
    ("/providers/openai/base_url", Kind::Text),
    ("/providers/openai/api_key", Kind::Text),
    ("/providers/openai/model", Kind::Text),
    ("/providers/ollama/base_url", Kind::Text),
    ("/providers/ollama/model", Kind::Text),
    ("/vector_store/qdrant/url", Kind::Text),
    ("/vector_store/qdrant/api_key", Kind::Text),
    ("/vector_store/lancedb/path", Kind::Text),
];

#[derive(Debug, Clone, Copy)]
enum Kind {
    Number,
    Text,
    List,
}

/// How hard a rule is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(clippy::exhaustive_enums, reason = "the format has exactly these three")]
pub enum Enforcement {
    /// Not looked at.
    Off,
    /// Said, not refused.
    Warn,
    /// Refused.
    Strict,
}

impl Enforcement {
    fn parse(text: &str) -> Option<Self> {
        Some(match text {
            "off" | "none" | "allow" => Self::Off,
            "warn" | "advise" => Self::Warn,
            "strict" | "strict_error" | "reject" | "enforce" | "block" => Self::Strict,
            _ => return None,
        })
    }
}

/// The named sets of governance settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_enums, reason = "the format has exactly these four")]
pub enum GovernancePreset {
    /// Hardly any rule.
    Minimal,
    /// Warnings, and strict about duplicates.
    Default,
    /// Everything refused that can be.
    Strict,
    /// Every rule as the file says.
    Custom,
}

/// Rules of working together.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Governance {
    /// The named set that the other rules come from.
    pub preset: GovernancePreset,
    /// Writing to an item that somebody else holds.
    pub ownership: Enforcement,
    /// Whether closing needs a reason.
    pub require_close_reason: bool,
    /// Closing texts and open children.
    pub close_validation: Enforcement,
    /// Whether a stale lock is removed only with `force`.
    pub force_for_stale_lock: bool,
    /// Likely duplicates of a new item.
    pub duplicate_detection: Enforcement,
    /// Likeness, 0 to 1, from which an item counts as a likely duplicate.
    pub duplicate_threshold: f64,
    /// How many likely duplicates are named at most.
    pub duplicate_limit: usize,
    /// The type of a new item when none is given.
    pub create_default_type: String,
    /// Status moves against the type's workflow.
    pub workflow: Enforcement,
    /// An unknown parent on create and update.
    pub parent_reference: Enforcement,
}

/// Settings of a workspace.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Settings {
    /// Prefix of ids, in form.
    pub id_prefix: String,
    /// Length of new tokens, 4 to 12.
    pub token_length: usize,
    /// The author when a call names none; empty for none.
    pub author_default: String,
    /// Age in seconds from which a lock is stale.
    pub lock_ttl_seconds: u64,
    /// How long to wait for a lock, in milliseconds.
    pub lock_wait_ms: u64,
    /// Whether an absent history stream is an error instead of being made.
    pub missing_stream_is_error: bool,
    /// Rules of working together.
    pub governance: Governance,
    /// Whether test results are recorded in items.
    pub record_test_results: bool,
    /// Whether a write needs an author other than the fallback.
    pub require_attributed_author: bool,
    /// Likely secrets in what is written.
    pub secret_guard: Enforcement,
    /// Hours without a change after which work in progress counts as stale.
    pub stale_in_progress_hours: u64,
    /// Metadata keys that neither the format nor the schema knows.
    pub unknown_fields: Enforcement,
    /// Required parts that the file lacks, as dotted paths. If there are any, nothing may be written.
    pub missing: Vec<String>,
}

impl Default for Settings {
    fn default() -> Self {
        Self::read(&Value::Null)
    }
}

impl Settings {
    /// Reads a settings file; whatever is absent or unusable has its default.
    #[must_use]
    pub fn read(file: &Value) -> Self {
        let at = |pointer: &str| file.pointer(pointer);
        let text = |pointer: &str| at(pointer).and_then(Value::as_str);
        let number = |pointer: &str, default: u64| at(pointer).and_then(Value::as_u64).unwrap_or(default);
        let flag = |pointer: &str| at(pointer).and_then(Value::as_bool).unwrap_or(false);
        let rule = |pointer: &str, default| text(pointer).and_then(Enforcement::parse).unwrap_or(default);
        let token_length =
            at("/ids/token_length").and_then(Value::as_u64).and_then(|n| usize::try_from(n).ok());
        Self {
            id_prefix: text("/id_prefix").and_then(normalize_prefix).unwrap_or_else(|| "pm-".to_owned()),
            token_length: token_length.filter(|length| (4..=12).contains(length)).unwrap_or(4),
            author_default: text("/author_default").unwrap_or_default().trim().to_owned(),
            lock_ttl_seconds: number("/locks/ttl_seconds", 1800),
            lock_wait_ms: number("/locks/wait_ms", 3000),
            missing_stream_is_error: text("/history/missing_stream") == Some("strict_error"),
            governance: Governance::read(file),
            record_test_results: flag("/testing/record_results_to_items"),
            require_attributed_author: flag("/mutation_guard/require_attributed_author"),
            secret_guard: rule("/secret_guard", rule("/mutation_guard/secret_guard", Enforcement::Warn)),
            stale_in_progress_hours: number(
                "/stale_in_progress_hours",
                number("/mutation_guard/stale_in_progress_hours", 72),
            ),
            unknown_fields: rule("/schema/unknown_field_policy", Enforcement::Off),
            missing: missing(file),
        }
    }

    /// Whether pm would accept the settings file, so that writing is safe.
    #[must_use]
    pub fn is_writable(&self) -> bool {
        self.missing.is_empty()
    }
}

impl Governance {
    fn read(file: &Value) -> Self {
        let at = |key: &str| file.get("governance").and_then(|governance| governance.get(key));
        let text = |key: &str| at(key).and_then(Value::as_str);
        let preset = match text("preset") {
            Some("default") => GovernancePreset::Default,
            Some("strict") => GovernancePreset::Strict,
            Some("custom") => GovernancePreset::Custom,
            Some(_) | None => GovernancePreset::Minimal,
        };
        let custom = preset == GovernancePreset::Custom;
        let mut governance = Self::of_preset(preset);
        let rule = |key: &str| text(key).and_then(Enforcement::parse);
        if custom {
            governance.ownership = rule("ownership_enforcement").unwrap_or(governance.ownership);
            governance.close_validation =
                rule("close_validation_default").unwrap_or(governance.close_validation);
            governance.duplicate_detection =
                rule("duplicate_detection_mode").unwrap_or(governance.duplicate_detection);
            governance.parent_reference = rule("parent_reference").unwrap_or(governance.parent_reference);
            let flag = |key: &str, default| at(key).and_then(Value::as_bool).unwrap_or(default);
            governance.require_close_reason = flag("require_close_reason", governance.require_close_reason);
            governance.force_for_stale_lock =
                flag("force_required_for_stale_lock", governance.force_for_stale_lock);
        }
        let threshold = at("duplicate_detection_threshold").and_then(Value::as_f64);
        if let Some(threshold) = threshold.filter(|likeness| (0.0..=1.0).contains(likeness)) {
            governance.duplicate_threshold = threshold;
        }
        let limit =
            at("duplicate_detection_limit").and_then(Value::as_u64).and_then(|n| usize::try_from(n).ok());
        governance.duplicate_limit = limit.unwrap_or(governance.duplicate_limit);
        if let Some(named) = text("create_default_type").map(str::trim).filter(|named| !named.is_empty()) {
            named.clone_into(&mut governance.create_default_type);
        }
        governance.workflow = rule("workflow_enforcement").unwrap_or(governance.workflow);
        governance
    }

    fn of_preset(preset: GovernancePreset) -> Self {
        let (level, stale_needs_force, duplicates) = match preset {
            GovernancePreset::Minimal | GovernancePreset::Custom => {
                (Enforcement::Off, false, Enforcement::Off)
            }
            GovernancePreset::Default => (Enforcement::Warn, true, Enforcement::Strict),
            GovernancePreset::Strict => (Enforcement::Strict, true, Enforcement::Strict),
        };
        Self {
            preset,
            ownership: level,
            require_close_reason: true,
            close_validation: level,
            force_for_stale_lock: stale_needs_force,
            duplicate_detection: duplicates,
            duplicate_threshold: 0.8,
            duplicate_limit: 3,
            create_default_type: "Task".to_owned(),
            workflow: Enforcement::Off,
            parent_reference: Enforcement::Strict,
        }
    }
}

fn missing(file: &Value) -> Vec<String> {
    let lacks = |(pointer, kind): &(&str, Kind)| {
        let value = file.pointer(pointer);
        let fits = match kind {
            Kind::Number => value.is_some_and(Value::is_number),
            Kind::Text => value.is_some_and(Value::is_string),
            Kind::List => value.is_some_and(Value::is_array),
        };
        !fits
    };
    let dotted = |(pointer, _): &(&str, Kind)| pointer.trim_start_matches('/').replace('/', ".");
    REQUIRED.iter().filter(|required| lacks(required)).map(dotted).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_empty_file_has_all_defaults_and_misses_every_required_part() {
        let settings = Settings::read(&json!({}));
        assert_eq!((settings.id_prefix.as_str(), settings.token_length), ("pm-", 4));
        assert_eq!((settings.lock_ttl_seconds, settings.lock_wait_ms), (1800, 3000));
        assert_eq!(settings.governance.preset, GovernancePreset::Minimal);
        assert_eq!(settings.governance.ownership, Enforcement::Off);
        assert_eq!(settings.governance.parent_reference, Enforcement::Strict);
        assert!(settings.governance.require_close_reason && !settings.is_writable());
        assert_eq!(settings.missing.len(), REQUIRED.len());
        assert!(settings.missing.contains(&"vector_store.lancedb.path".to_owned()));
    }

    #[test]
    fn presets_overrule_single_rules_unless_custom() {
        let read = |preset: &str| {
            Settings::read(&json!({"governance": {"preset": preset, "ownership_enforcement": "warn",
                "force_required_for_stale_lock": true, "parent_reference": "warn"}}))
            .governance
        };
        assert_eq!(read("minimal").ownership, Enforcement::Off);
        assert_eq!(read("strict").ownership, Enforcement::Strict);
        assert_eq!(
            (read("default").close_validation, read("default").duplicate_detection),
            (Enforcement::Warn, Enforcement::Strict)
        );
        let custom = read("custom");
        assert_eq!((custom.ownership, custom.parent_reference), (Enforcement::Warn, Enforcement::Warn));
        assert!(custom.force_for_stale_lock);
    }

    #[test]
    fn settings_out_of_range_have_their_default() {
        let settings = Settings::read(
            &json!({"id_prefix": "My Work", "ids": {"token_length": 40}, "locks": {"ttl_seconds": -1}}),
        );
        assert_eq!(
            (settings.id_prefix.as_str(), settings.token_length, settings.lock_ttl_seconds),
            ("my-work-", 4, 1800)
        );
    }
}
