/** Runs `run.mjs` with a program that replaces OpenClaw. */
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach } from "vitest";

/** Rejects a configuration as the environment or its text requests, and becomes a gateway that prints `RUNS`. */
const PROGRAM = `
import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
const [command] = process.argv.slice(2);
appendFileSync(join(process.env.TRACE, "calls"), process.argv.slice(2).join(" ") + "\\n");
const config = readFileSync(process.env.OPENCLAW_CONFIG_PATH, "utf8");
if (command === "config") {
  const rules = [["nonsense", "", "Unrecognized key"], ...JSON.parse(process.env.ISSUES ?? "[]")];
  const issues = rules.flatMap(([found, path, message]) => (config.includes(found) ? [{ path, message }] : []));
  if (config.includes(process.env.FAILS_WITH)) {
    console.error("Error: no schema");
    process.exit(1);
  }
  // The form of OpenClaw 2026.9.6.
  console.log(JSON.stringify({ valid: issues.length === 0, path: process.env.OPENCLAW_CONFIG_PATH, issues }, null, 2));
  process.exit(issues.length === 0 ? 0 : 1);
}
if (command === "doctor" && process.env.DOCTOR === "fails") process.exit(3);
if (command === "gateway") console.log("RUNS " + JSON.stringify(process.env));
`;

export interface OpenClawRun {
  root: string;
  /** Returns the path of a file of the state. */
  state(name: string): string;
  config(): ReturnType<typeof JSON.parse>;
  calls(): string[];
  validations(): number;
  install(version: string): void;
  /** Runs the image's OpenClaw. `env` is that of the gateway. */
  run(more?: Record<string, string>): Promise<{ code: number; output: string; env: Record<string, string> }>;
}

/** Installs the program in a temporary directory before each test of the file. */
export function openclawRun(): OpenClawRun {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "openclaw-test-"));
    mkdirSync(join(root, "state"));
    install("2026.9.6");
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));
  const program = () => join(root, "openclaw/openclaw.mjs");
  function install(version: string): void {
    mkdirSync(join(root, "openclaw"), { recursive: true });
    writeFileSync(join(root, "openclaw/package.json"), JSON.stringify({ name: "openclaw", version, type: "module" }));
    writeFileSync(program(), PROGRAM);
  }
  const state = (name: string) => join(root, "state", name);
  const trace = () => join(root, "calls");
  const calls = () => (existsSync(trace()) ? readFileSync(trace(), "utf8").trim().split("\n") : []);
  return {
    get root() {
      return root;
    },
    ...{ state, calls, install },
    config: () => JSON.parse(readFileSync(state("openclaw.json"), "utf8")),
    validations: () => calls().filter((call) => call === "config validate --json").length,
    run: (more = {}) => runScript(root, program(), more),
  };
}

function runScript(root: string, program: string, more: Record<string, string>): ReturnType<OpenClawRun["run"]> {
  const env = {
    PATH: process.env.PATH,
    TRACE: root,
    STATE_DIR: join(root, "state"),
    LOG_DIR: join(root, "logs"),
    RUN_DIR: join(root, "run"),
    GATEWAY_PORT: "18789",
    GATEWAY_TOKEN: "the-gateway-token",
    TENANT_SLUG: "acme",
    ENVIRONMENT: "production",
    TENANT_ORIGIN: "https://acme.example.com",
    CF_ACCOUNT_ID: "account",
    AI_GATEWAY_ID: "pool-a",
    AI_GATEWAY_URL: "http://ai-gateway.internal",
    DEFAULT_MODEL: "openai/gpt-5-mini",
    ...more,
  };
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [join(import.meta.dirname, "../run.mjs"), program],
      { env },
      (_error, stdout, stderr) => {
        const [, found] = /^RUNS (.+)$/m.exec(stdout) ?? [];
        const output = stdout.replace(/^RUNS .+$/m, "") + stderr;
        resolve({ code: child.exitCode ?? -1, output, env: found === undefined ? {} : JSON.parse(found) });
      },
    );
  });
}
