//! Building a server.

use std::fmt;
use std::mem::take;
use std::sync::Arc;

use pm_mcp_clock_system::SystemClock;
use pm_mcp_domain::cache::CachePolicy;
use pm_mcp_domain::extension::ExtensionId;
use pm_mcp_domain::schema::SchemaFault;
use pm_mcp_domain::skill::Compatibility;
use pm_mcp_domain::trace::BaggageKeys;
use pm_mcp_domain::wire::Implementation;
use pm_mcp_engine::{CatalogueBuilder, Engine, Limits, ListCaches, Ports, Settings, TaskSettings};
use pm_mcp_memory::{Capacity, MemoryReplayGuard, MemoryTaskStore};
use pm_mcp_ports::driven::{
    ChangeBus, Clock, CursorSigner, Entropy, ReplayGuard, RequestObserver, SchemaChecker, StateSealer,
    TaskStore, WorkerLiveness,
};
use pm_mcp_ports::feature::{Interceptor, ResourceSource, SkillSource};
use pm_mcp_schema_jsonschema::JsonSchemaChecker;
use pm_mcp_seal_ring::{EntropyError, HmacCursorSigner, RingSealer, SystemEntropy};
use thiserror::Error;

use crate::access::{AccessDraft, AccessFault};
use crate::extension::ExtensionEntry;
use crate::prompt::PromptEntry;
use crate::resource::ResourceEntry;
use crate::server::Server;
use crate::skills::{self, Library};
use crate::template::TemplateEntry;
use crate::tool::{ToolEntry, ToolProfile};

/// Why a server cannot be built: what a host has to change in its own code.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BuildError {
    /// An entry or a setting is not usable.
    #[error(transparent)]
    Catalogue(#[from] pm_mcp_engine::BuildError),
    /// A tool's schema is refused before it is compiled.
    #[error("{which} schema of tool {tool:?} is refused")]
    Schema {
        /// The tool's name.
        tool: String,
        /// `input` or `output`.
        which: &'static str,
        /// What is wrong with it.
        source: SchemaFault,
    },
    /// A tool's name is not one that every client takes; see [`ServerBuilder::strict_tool_names`].
    #[error("tool name {0:?} is not one that every client takes: 1 to 64 characters of A-Z a-z 0-9 _ -")]
    StrictToolName(String),
    /// A schema of an extension's method is refused before it is compiled.
    #[error("{which} schema of method {method:?} is refused")]
    MethodSchema {
        /// The method's name.
        method: &'static str,
        /// `params` or `result`.
        which: &'static str,
        /// What is wrong with it.
        source: SchemaFault,
    },
    /// What discovery is to say of an extension is no JSON object.
    #[error("the settings of extension {0} must be a JSON object")]
    ExtensionSettings(ExtensionId),
    /// What was said of authorization cannot hold.
    #[error("authorization is not set up")]
    Access(#[from] AccessFault),
    /// The system gives no random bytes for a key.
    #[error("no random bytes for a key")]
    Entropy(#[from] EntropyError),
}

/// How many used states the default guard remembers. A state lives for minutes, so this is some hundred rounds a second.
const GUARD_ENTRIES: usize = 100_000;

/// Collects what a server offers. Lists show entries in the order in which they are added.
pub struct ServerBuilder {
    pub(crate) settings: Settings,
    pub(crate) access: AccessDraft,
    schemas: Arc<dyn SchemaChecker>,
    /// What [`prepared`](Self::prepared) has taken in already.
    catalogue: CatalogueBuilder,
    tools: Vec<ToolEntry>,
    resources: Vec<ResourceEntry>,
    templates: Vec<TemplateEntry>,
    prompts: Vec<PromptEntry>,
    source: Option<Arc<dyn ResourceSource>>,
    extensions: Vec<ExtensionEntry>,
    skills: Vec<Arc<dyn SkillSource>>,
    skills_cache: CachePolicy,
    clock: Arc<dyn Clock>,
    entropy: Arc<dyn Entropy>,
    cursors: Option<Arc<dyn CursorSigner>>,
    sealer: Option<Arc<dyn StateSealer>>,
    guard: Option<Arc<dyn ReplayGuard>>,
    tasks: Option<Arc<dyn TaskStore>>,
    workers: Option<Arc<dyn WorkerLiveness>>,
    bus: Option<Arc<dyn ChangeBus>>,
    observer: Option<Arc<dyn RequestObserver>>,
    legacy_stdio: bool,
    tools_as: ToolProfile,
}

impl fmt::Debug for ServerBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ServerBuilder").field("settings", &self.settings).finish_non_exhaustive()
    }
}

impl ServerBuilder {
    pub(crate) fn new(name: String, version: String) -> Self {
        let schemas: Arc<dyn SchemaChecker> = Arc::new(JsonSchemaChecker::new());
        Self {
            settings: Settings::new(Implementation { name, title: None, version }),
            access: AccessDraft::default(),
            catalogue: CatalogueBuilder::new(Arc::clone(&schemas)),
            schemas,
            tools: Vec::new(),
            resources: Vec::new(),
            templates: Vec::new(),
            prompts: Vec::new(),
            source: None,
            extensions: Vec::new(),
            skills: Vec::new(),
            skills_cache: CachePolicy::private(60_000),
            clock: Arc::new(SystemClock),
            entropy: Arc::new(SystemEntropy::new()),
            cursors: None,
            sealer: None,
            guard: None,
            tasks: None,
            workers: None,
            bus: None,
            observer: None,
            legacy_stdio: false,
            tools_as: ToolProfile::default(),
        }
    }

    /// The server's name for people.
    #[must_use]
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.settings.implementation.title = Some(title.into());
        self
    }

    /// How to use the server, for a model; at most 4,000 characters.
    #[must_use]
    pub fn instructions(mut self, instructions: impl Into<String>) -> Self {
        self.settings.instructions = Some(instructions.into());
        self
    }

    /// Adds a tool.
    #[must_use]
    pub fn tool(mut self, tool: ToolEntry) -> Self {
        self.tools.push(tool);
        self
    }

    /// Adds a resource.
    #[must_use]
    pub fn resource(mut self, resource: ResourceEntry) -> Self {
        self.resources.push(resource);
        self
    }

    /// Names the source of resources that come and go; they are listed after the added ones, and read by a template.
    #[must_use]
    pub fn resource_source(mut self, source: impl ResourceSource) -> Self {
        self.source = Some(Arc::new(source));
        self
    }

    /// Adds a resource template.
    #[must_use]
    pub fn template(mut self, template: TemplateEntry) -> Self {
        self.templates.push(template);
        self
    }

    /// Adds a prompt.
    #[must_use]
    pub fn prompt(mut self, prompt: PromptEntry) -> Self {
        self.prompts.push(prompt);
        self
    }

    /// Adds an extension to the protocol: what discovery says of it, and its own methods. Requests of earlier revisions
    /// know none.
    #[must_use]
    pub fn extension(mut self, extension: ExtensionEntry) -> Self {
        self.extensions.push(extension);
        self
    }

    /// Publishes the skills of a source by the extension `io.modelcontextprotocol/skills`: `skills/list`, `skills/get` and
    /// `resources/directory/read`, each file to be read as a resource `skill://…`, each `SKILL.md` among the listed
    /// resources. Several sources are listed in the order in which they are added; of two skills with one path the earlier
    /// source's is published.
    ///
    /// A skill whose `metadata` names another version of the protocol under `mcp-protocol`, or of this server under its
    /// name, is left out.
    #[must_use]
    pub fn skills(mut self, source: impl SkillSource) -> Self {
        self.skills.push(Arc::new(source));
        self
    }

    /// How long skills and their files may be kept; a minute by the caller alone unless told.
    #[must_use]
    pub fn skills_cache(mut self, cache: CachePolicy) -> Self {
        self.skills_cache = cache;
        self
    }

    /// How long discovery and the lists may be kept.
    #[must_use]
    pub fn caches(mut self, caches: ListCaches) -> Self {
        self.settings.caches = caches;
        self
    }

    /// How many tools, templates or prompts a page has at the most, 100 unless told.
    #[must_use]
    pub fn page_size(mut self, entries: usize) -> Self {
        self.settings.page_size = entries;
        self
    }

    /// How many resources a page has at the most, 50 unless told.
    #[must_use]
    pub fn resource_page_size(mut self, entries: usize) -> Self {
        self.settings.resource_page_size = entries;
        self
    }

    /// Another clock than the system's.
    #[must_use]
    pub fn clock(mut self, clock: Arc<dyn Clock>) -> Self {
        self.clock = clock;
        self
    }

    /// The signer of list cursors; unless told, one with a random key, whose cursors end with the process.
    #[must_use]
    pub fn cursor_signer(mut self, signer: impl CursorSigner) -> Self {
        self.cursors = Some(Arc::new(signer));
        self
    }

    /// Another source of randomness than the system's, for tests.
    #[must_use]
    pub fn entropy(mut self, entropy: Arc<dyn Entropy>) -> Self {
        self.entropy = entropy;
        self
    }

    /// The sealer of what clients carry between the rounds of one operation; unless told, one with a random key, whose
    /// states end with the process.
    #[must_use]
    pub fn state_sealer(mut self, sealer: impl StateSealer) -> Self {
        self.sealer = Some(Arc::new(sealer));
        self
    }

    /// Remembers which states were used; unless told, in memory. Where several processes share a sealing key, they must
    /// share a guard as well.
    #[must_use]
    pub fn replay_guard(mut self, guard: impl ReplayGuard) -> Self {
        self.guard = Some(Arc::new(guard));
        self
    }

    /// Keeps tasks. Without a store the server offers none, and tools that may run as tasks run with their requests.
    #[must_use]
    pub fn task_store(mut self, store: impl TaskStore) -> Self {
        self.tasks = Some(Arc::new(store));
        self
    }

    /// Knows which processes that share the task store are gone, so that the tasks of one that was killed are ended at
    /// once instead of when their leases run out.
    #[must_use]
    pub fn worker_liveness(mut self, workers: impl WorkerLiveness) -> Self {
        self.workers = Some(Arc::new(workers));
        self
    }

    /// Carries changes between the processes of one server, so that a listener hears of a change whichever of them made
    /// it, once. Where changes are lost on the way, listeners hear that every list changed. What others publish is heard
    /// while the server serves.
    #[must_use]
    pub fn change_bus(mut self, bus: impl ChangeBus) -> Self {
        self.bus = Some(Arc::new(bus));
        self
    }

    /// Keeps tasks in memory, where they end with the process: for development and for work whose loss does no harm.
    #[must_use]
    pub fn volatile_tasks(self) -> Self {
        self.task_store(MemoryTaskStore::with_capacity(Capacity::default()))
    }

    /// How tasks are kept and worked on.
    #[must_use]
    pub fn task_settings(mut self, tasks: TaskSettings) -> Self {
        self.settings.tasks = tasks;
        self
    }

    /// How much one request, one state and one stream may take.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.settings.limits = limits;
        self
    }

    /// Puts something around every operation: calls, reads, prompts, lists, completions, streams and tasks. The first that
    /// is added is the outermost.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use pm_mcp::{
    ///     AuditRecord, ConcurrencyLimit, ContentBlock, HandlerFault, Interceptor, Operation, ResultMut, Server,
    ///     TimeLimit,
    /// };
    ///
    /// /// Lets no result tell where the server keeps its files.
    /// #[derive(Debug)]
    /// struct HidePaths;
    ///
    /// impl Interceptor for HidePaths {
    ///     fn result(&self, _: &Operation, result: &mut ResultMut<'_>) -> Result<(), HandlerFault> {
    ///         if let ResultMut::Tool(result) = result {
    ///             for block in &mut result.content {
    ///                 if let ContentBlock::Text { text, .. } = block {
    ///                     *text = text.replace("/srv/", "…/");
    ///                 }
    ///             }
    ///         }
    ///         Ok(())
    ///     }
    /// }
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let server = Server::builder("files", "1.0.0")
    ///     .interceptor(AuditRecord::new())
    ///     .interceptor(TimeLimit::new("request_seconds", Duration::from_secs(20)))
    ///     .interceptor(ConcurrencyLimit::new("workers", 64.try_into()?).with_line(256))
    ///     .interceptor(HidePaths)
    ///     .build()?;
    /// # let _ = server;
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn interceptor(mut self, interceptor: impl Interceptor) -> Self {
        self.settings.interceptors.push(Arc::new(interceptor));
        self
    }

    /// Hears of every request and of its end, to measure and to trace; unless told, nobody does, and it costs nothing.
    #[must_use]
    pub fn request_observer(mut self, observer: impl RequestObserver) -> Self {
        self.observer = Some(Arc::new(observer));
        self
    }

    /// Which members of a request's baggage are kept for handlers; none unless told.
    #[must_use]
    pub fn baggage_keys(mut self, keys: BaggageKeys) -> Self {
        self.settings.baggage = keys;
        self
    }

    /// Shows the arguments of tools with one type a member, for clients that cannot read a list of types: `Option<u32>` is an
    /// `integer` then and not an `integer` or `null`. Absent and `null` are taken as before, since arguments are still held
    /// against the schema of the handler's type.
    #[must_use]
    pub fn single_type_schemas(mut self) -> Self {
        self.tools_as.single_types = true;
        self
    }

    /// Takes only tools whose names every client can hand on to its model: 1 to 64 characters, without dots. The revision
    /// allows up to 128 and dots, and some clients leave such tools out.
    #[must_use]
    pub fn strict_tool_names(mut self) -> Self {
        self.tools_as.strict_names = true;
        self
    }

    /// Serves clients of the [`legacy_versions`](Server::legacy_versions) over stdio too, as long
    /// as this library has that: see `docs/legacy.md`. HTTP stays with the current revision.
    #[must_use]
    pub fn legacy_stdio(mut self) -> Self {
        self.legacy_stdio = true;
        self
    }

    /// Does now what [`ServerBuilder::build`] would do for the tools, resources and prompts that are there, above all compile
    /// their schemas: for a host that opens a store meanwhile. What is said of all tools, such as
    /// [`ServerBuilder::strict_tool_names`], has to be said before.
    ///
    /// # Errors
    ///
    /// The first entry that is not usable.
    pub fn prepared(mut self) -> Result<Self, BuildError> {
        for tool in take(&mut self.tools) {
            self.catalogue.tool(tool.into_spec(self.tools_as)?)?;
        }
        for resource in take(&mut self.resources) {
            self.catalogue.resource(resource.into_spec()?)?;
        }
        for template in take(&mut self.templates) {
            self.catalogue.template(template.into_spec()?)?;
        }
        for prompt in take(&mut self.prompts) {
            self.catalogue.prompt(prompt.into_spec()?)?;
        }
        Ok(self)
    }

    /// Checks everything, compiles all schemas and makes the server.
    ///
    /// # Errors
    ///
    /// The first entry or setting that is not usable.
    pub fn build(self) -> Result<Server, BuildError> {
        let this = self.prepared()?;
        let (mut settings, mut catalogue) = (this.settings, this.catalogue);
        let (access, verifier) = this.access.finish(settings.anonymous)?.unzip();
        settings.access = access;
        let mut source = this.source;
        if !this.skills.is_empty() {
            let Implementation { name, version, .. } = &settings.implementation;
            let library = Arc::new(Library::new(this.skills, Compatibility::new().with(name, version)));
            settings.extensions.push(skills::entry(&library, this.skills_cache).into_spec()?);
            catalogue.template(skills::reader(&library, this.skills_cache).into_spec()?)?;
            source = Some(skills::list_source(&library, source));
        }
        if let Some(source) = source {
            catalogue.resource_source(source);
        }
        for extension in this.extensions {
            settings.extensions.push(extension.into_spec()?);
        }
        let ports = Ports {
            schemas: this.schemas,
            clock: this.clock,
            entropy: this.entropy,
            cursors: match this.cursors {
                Some(signer) => signer,
                None => Arc::new(HmacCursorSigner::random()?),
            },
            sealer: match this.sealer {
                Some(sealer) => sealer,
                None => Arc::new(RingSealer::random()?),
            },
            guard: this.guard.unwrap_or_else(|| Arc::new(MemoryReplayGuard::with_capacity(GUARD_ENTRIES))),
            tasks: this.tasks,
            workers: this.workers,
            bus: this.bus,
            observer: this.observer,
            verifier,
        };
        Ok(Server::new(Engine::new(catalogue.build(), settings, ports)?, this.legacy_stdio, this.tools_as))
    }
}
