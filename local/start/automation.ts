/** The automation service of the demo: a process beside the edge, as an operator runs it, which is started again when it dies. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { fileLog, type Log } from "@tenantry/std/log";
import * as z from "zod";
import { LIVE_PUSH_PATH } from "#domain/access/access-addresses.ts";
import type { Environment } from "#domain/environment.ts";
import type { Edge } from "../edge.ts";
import type { Deployment } from "./deployer/messages.ts";

const PROGRAM = join(import.meta.dirname, "../../automation/main.ts");
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;
/** A process that lived that long did not die of how it was started. */
const SETTLED_MS = 60_000;
/** Longer than the service takes to end what it has begun. */
const END_MS = 35_000;

const line = z.looseObject({ event: z.string() });

export class Automation {
  /** Where it tells how it is. */
  readonly healthUrl: string;
  readonly #edge: Edge;
  readonly #environment: Environment;
  readonly #healthPort: number;
  readonly #log: Log;
  readonly #closeLog: () => void;
  #variables: Record<string, string> | undefined;
  #child: ChildProcess | undefined;
  #again: NodeJS.Timeout | undefined;
  #pauseMs = FIRST_PAUSE_MS;
  #stopped = false;
  #isRestarting = false;

  readonly #engine: Readonly<Record<string, string>>;

  /**
   * @param environment of the platform that it serves
   * @param engine variables with which it deploys tenants. Default: it deploys none
   */
  constructor(edge: Edge, environment: Environment, healthPort: number, engine: Readonly<Record<string, string>> = {}) {
    this.#edge = edge;
    this.#environment = environment;
    this.#healthPort = healthPort;
    this.#engine = engine;
    this.healthUrl = `http://127.0.0.1:${healthPort}`;
    const { log, close } = fileLog(join(edge.directory, "automation.log"));
    this.#log = log;
    this.#closeLog = close;
  }

  /** Starts it for what is deployed, unless it runs. */
  start(deployment: Deployment): void {
    if (this.#stopped || this.#variables !== undefined) return;
    this.#variables = this.#variablesOf(deployment);
    this.#run(this.#variables);
  }

  /** Starts it again with other variables, such as rotated secrets. Resolves when the process before is gone. */
  async restart(changed: Readonly<Record<string, string>>): Promise<void> {
    if (this.#stopped || this.#variables === undefined) return;
    this.#variables = { ...this.#variables, ...changed };
    this.#isRestarting = true;
    await this.#end();
    this.#isRestarting = false;
    if (!this.#stopped) this.#run(this.#variables);
  }

  /** Ends it, and resolves when it is gone. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#end();
    this.#closeLog();
  }

  async #end(): Promise<void> {
    clearTimeout(this.#again);
    const child = this.#child;
    if (child === undefined) return;
    const late = setTimeout(() => child.kill("SIGKILL"), END_MS);
    child.kill("SIGTERM");
    await once(child, "close");
    clearTimeout(late);
  }

  #run(variables: Record<string, string>): void {
    const began = performance.now();
    const child = fork(PROGRAM, {
      // A group of its own: a terminal's Ctrl-C reaches the edge alone, which ends the service before what the service needs.
      detached: true,
      env: variables,
      execArgv: ["--disable-warning=ExperimentalWarning"],
      // By the channel it notices when the edge was killed.
      stdio: ["ignore", "pipe", "pipe", "ipc"],
    });
    this.#child = child;
    this.#keep(child.stdout);
    this.#keep(child.stderr);
    child.on("error", (error) => this.#log("automation", "not_started", { message: error.message }));
    child.once("close", (code, signal) => {
      this.#child = undefined;
      this.#log("automation", "process_ended", { code, signal });
      if (this.#stopped || this.#isRestarting) return;
      if (performance.now() - began > SETTLED_MS) this.#pauseMs = FIRST_PAUSE_MS;
      this.#again = setTimeout(() => this.#run(variables), this.#pauseMs);
      this.#pauseMs = Math.min(this.#pauseMs * 2, LONGEST_PAUSE_MS);
    });
  }

  /** Keeps what the process says, in a log of its own. */
  #keep(stream: Readable | null): void {
    if (stream === null) return;
    createInterface({ input: stream }).on("line", (text) => {
      const { event, ...fields } = told(text);
      this.#log("automation", event, fields);
    });
  }

  #variablesOf({ dashboard, serviceUrl, serviceVariables, ...tokens }: Deployment): Record<string, string> {
    const { port, domain, mail, dispatchUrls, apiUrl, apiToken, accountId } = this.#edge;
    return {
      ...this.#engine,
      ...serviceVariables,
      ENVIRONMENT: this.#environment,
      DATABASE_URL: serviceUrl,
      SMTP_URL: mail.smtp,
      MAIL_FROM: `Tenantry <platform@${domain}>`,
      DASHBOARD_URL: `http://${dashboard}:${port}`,
      PLATFORM_DOMAIN: domain,
      DISPATCH_URL: dispatchUrls[this.#environment],
      INVALIDATE_TOKEN: tokens.invalidateToken,
      LIVE_URL: `http://${dashboard}:${port}${LIVE_PUSH_PATH}`,
      LIVE_TOKEN: tokens.liveToken,
      CLOUDFLARE_API_URL: apiUrl,
      CLOUDFLARE_API_TOKEN: apiToken,
      CLOUDFLARE_ACCOUNT_ID: accountId,
      HEALTH_PORT: String(this.#healthPort),
      // The demo's tenants are few.
      CONCURRENCY: "2",
      ENGINE_CONCURRENCY: "1",
      ...(this.#engine.PLATFORM_STACK !== undefined && { PROVISIONING_API_TOKEN: apiToken }),
    };
  }
}

function told(text: string): z.infer<typeof line> {
  try {
    return line.parse(JSON.parse(text));
  } catch {
    // What Node itself says, such as of a crash.
    return { event: "said", text };
  }
}
