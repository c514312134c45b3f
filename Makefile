# Each target is a thin call and ends with a line that says what passed.

.PHONY: serve test check contract conformance conformance-client interop authorization deprecations documents fuzz fix bench load bench-guard
.PHONY: suite release-proof habits

# The HTTP server over the nearest tracker workspace; PM_PATH names another.
serve:
	cargo run --release -p pm-mcp-server --bin pm-mcp-http

# Every test that needs no more than the Rust toolchain, and what was skipped, with the reason.
test:
	@bash tests/run.sh

# All that a change has to pass before it is handed in; changes nothing in the tree.
check:
	cargo fmt --all --check
	cargo clippy --workspace --all-targets -- -D warnings
	cargo clippy -p pm-mcp --no-default-features -- -D warnings
	cargo check -p pm-mcp-domain
	cargo check -p pm-mcp-ports
	cargo check -p pm-mcp-engine
	cargo check -p pm-tracker-domain
	cargo check -p pm-tracker-ports
	RUSTDOCFLAGS=-Dwarnings cargo doc --workspace --no-deps
	@bash tests/habits/run.sh
	@bash tests/run.sh
	@echo "check: format, lints, inner crates alone, docs, habits and tests passed"

# The laws of the ports against every adapter, wrong adapters against the laws, and a store from outside.
contract:
	@bash tests/contract/run.sh

# The official conformance suite against the example server, skills against the bundled one too; see the runner.
conformance:
	@bash tests/conformance/run.sh

# The same suite against the example client.
conformance-client:
	@bash tests/conformance/run-client.sh

# Published clients against the bundled servers; see the runner for what it needs.
interop:
	@bash tests/interop/run.sh

# Every use of what the revision removed or deprecated, by class; docs/deprecations.md says what may stand where.
deprecations:
	@cargo run --quiet --locked -p pm-mcp-architecture --example deprecations

# Writes the pages that are generated: the conformance matrix and the last line of the readme.
documents:
	@cargo run --quiet --locked -p pm-mcp-architecture --example documents

# One focused suite, as in NAME=tasks; tests/suites.txt says what is in each.
suite:
	@bash tests/suite.sh $(NAME)

# Packs what would be published and uses the packages from outside; see the runner for what it needs.
release-proof:
	@bash tests/release/run.sh

# Licences, sources and use of dependencies, and spelling; see the runner for what it needs.
habits:
	@bash tests/habits/run.sh

# Every fuzz target for a bounded time; see the runner for what it needs.
fuzz:
	@bash tests/fuzz/run.sh

# The HTTP server behind a real identity provider, with published clients and a browser; see the runner for what it needs.
authorization:
	@bash tests/authorization/run.sh

# The example server beside other servers and ceilings; see the runner for what it needs.
bench:
	@bash tests/bench/run.sh $(BENCH)

# Everything that clients do, good, bad and slow, against a release build for PM_LOAD_SECONDS; then many streams, and crowds.
# docs/load.md says what has to hold.
load:
	cargo run --release --locked -p pm-mcp-load -- mixed
	cargo run --release --locked -p pm-mcp-load -- streams
	cargo run --release --locked -p pm-mcp-load -- peers

# Instructions a request, counted and held against the recorded figures; see the runner. BENCH=--record writes them anew.
bench-guard:
	@bash tests/bench/guard.sh $(BENCH)

# Writes: formats, and applies what clippy can apply.
fix:
	cargo clippy --workspace --all-targets --fix --allow-dirty --allow-staged
	cargo fmt --all
	@echo "fix: lints applied and sources formatted; read the diff"
