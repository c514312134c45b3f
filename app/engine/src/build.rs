//! Why a server cannot be built.

use pm_mcp_domain::extension::ExtensionFault;
use pm_mcp_domain::header::AnnotationFault;
use pm_mcp_domain::uri_template::TemplateFault;
use pm_mcp_ports::driven::{BackendError, CompileError, EntropyUnavailable};
use thiserror::Error;

/// Why a server cannot be built: what a host has to change in its own code.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BuildError {
    /// A name is empty, too long or holds characters that names do not have.
    #[error("{kind} name {name:?} is not usable: 1 to 128 characters of A-Z a-z 0-9 _ . - /")]
    Name {
        /// What has the name: `tool` or `prompt`.
        kind: &'static str,
        /// The name.
        name: String,
    },
    /// Two entries have one name, URI or template.
    #[error("{kind} {name:?} is registered twice")]
    Twice {
        /// What has the name: `tool`, `resource`, `resource template` or `prompt`.
        kind: &'static str,
        /// The name, URI or template.
        name: String,
    },
    /// A tool's schema is no valid JSON Schema, or cannot be matched in bounded time.
    #[error("{which} schema of tool {tool:?} is not usable")]
    Schema {
        /// The tool's name.
        tool: String,
        /// `input` or `output`.
        which: &'static str,
        /// What is wrong with it.
        source: CompileError,
    },
    /// A header annotation in a tool's schema breaks the rules.
    #[error("header annotation of tool {tool:?} is not usable")]
    Annotation {
        /// The tool's name.
        tool: String,
        /// What is wrong with it.
        source: AnnotationFault,
    },
    /// A resource template cannot be told apart from others, or has an unsupported form.
    #[error("resource template is not usable")]
    Template(#[from] TemplateFault),
    /// A completer is registered for an argument or variable that is not declared.
    #[error("{owner:?} has a completer for {argument:?}, which it does not declare")]
    Completer {
        /// The prompt's name or the template.
        owner: String,
        /// The argument or variable.
        argument: String,
    },
    /// The instructions are longer than a client should have to read.
    #[error("instructions have {length} characters, {limit} are allowed")]
    Instructions {
        /// How many characters they have.
        length: usize,
        /// How many they may have.
        limit: usize,
    },
    /// A page size is zero.
    #[error("{0} must be at least 1")]
    PageSize(&'static str),
    /// The system gives no random bytes.
    #[error("the server cannot be given an identity of its own")]
    Entropy(#[from] EntropyUnavailable),
    /// Other processes could not see that this one works on its tasks.
    #[error("the server cannot be announced to others that share its tasks")]
    Worker(#[source] BackendError),
    /// A tool can run as a task only, and there is no task store.
    #[error("tool {0:?} runs as a task only: give the server a task store")]
    NoTaskStore(String),
    /// An extension, or what is marked as needing one, is not usable.
    #[error(transparent)]
    Extension(#[from] ExtensionFault),
    /// A schema of an extension's method is no valid JSON Schema, or cannot be matched in bounded time.
    #[error("{which} schema of method {method:?} is not usable")]
    MethodSchema {
        /// The method's name.
        method: &'static str,
        /// `params` or `result`.
        which: &'static str,
        /// What is wrong with it.
        source: CompileError,
    },
    /// It is said what tokens have to say, and nobody can verify them.
    #[error("a resource and an issuer are set, and no token verifier: give the server one")]
    NoVerifier,
    /// There is a token verifier, and it is not said what tokens have to say.
    #[error(
        "there is a token verifier, and no resource or no issuer: tokens have to be for this server and from somebody"
    )]
    NoPolicy,
    /// Whoever was changing what the server offers gave up; nothing was changed.
    #[error("the change was given up")]
    Abandoned,
    /// A description cannot be written as JSON.
    #[error("a description cannot be written as JSON")]
    Json(#[from] serde_json::Error),
}
