/** Runs the automation service of the demo as a process beside the edge, and restarts it when it dies. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { type Log, openFileLog } from "@tenantry/std/log";
import * as z from "zod";
import { LIVE_PUSH_PATH } from "#domain/access/access-addresses.ts";
import type { Environment } from "#domain/environment.ts";
import type { Edge } from "../edge.ts";
import type { Deployment } from "./deployer/messages.ts";

const PROGRAM = join(import.meta.dirname, "../../automation/main.ts");
const MIN_DELAY_MS = 500;
const MAX_DELAY_MS = 30_000;
/** After this time, the next crash restarts with the minimum delay. */
const SETTLED_MS = 60_000;
/** Longer than the service's own shutdown. */
const STOP_TIMEOUT_MS = 35_000;

const logLine = z.looseObject({ event: z.string() });

export class Automation {
  readonly healthUrl: string;
  readonly #edge: Edge;
  readonly #environment: Environment;
  readonly #healthPort: number;
  readonly #log: Log;
  readonly #closeLog: () => void;
  #variables: Record<string, string> | undefined;
  #child: ChildProcess | undefined;
  #restartTimer: NodeJS.Timeout | undefined;
  #delayMs = MIN_DELAY_MS;
  #stopped = false;
  #isRestarting = false;
  readonly #engine: Readonly<Record<string, string>>;

  /** @param engine variables for deploying tenants. Default: none are deployed */
  constructor(edge: Edge, environment: Environment, healthPort: number, engine: Readonly<Record<string, string>> = {}) {
    this.#edge = edge;
    this.#environment = environment;
    this.#healthPort = healthPort;
    this.#engine = engine;
    this.healthUrl = `http://127.0.0.1:${healthPort}`;
    const { log, close } = openFileLog(join(edge.directory, "automation.log"));
    this.#log = log;
    this.#closeLog = close;
  }

  /** Has no effect if it runs. */
  start(deployment: Deployment): void {
    if (this.#stopped || this.#variables !== undefined) return;
    this.#variables = automationVariables(this.#edge, this.#environment, this.#healthPort, this.#engine, deployment);
    this.#run(this.#variables);
  }

  /** Restarts with changed variables, such as rotated secrets. Resolves when the former process has ended. */
  async restart(changed: Readonly<Record<string, string>>): Promise<void> {
    if (this.#stopped || this.#variables === undefined) return;
    this.#variables = { ...this.#variables, ...changed };
    this.#isRestarting = true;
    await this.#stopProcess();
    this.#isRestarting = false;
    if (!this.#stopped) this.#run(this.#variables);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#stopProcess();
    this.#closeLog();
  }

  async #stopProcess(): Promise<void> {
    clearTimeout(this.#restartTimer);
    const child = this.#child;
    if (child === undefined) return;
    const timer = setTimeout(() => child.kill("SIGKILL"), STOP_TIMEOUT_MS);
    child.kill("SIGTERM");
    await once(child, "close");
    clearTimeout(timer);
  }

  #run(variables: Record<string, string>): void {
    const startedAt = performance.now();
    const child = fork(PROGRAM, {
      // Its own process group: Ctrl-C reaches the edge only, which stops the service before its dependencies.
      detached: true,
      env: variables,
      execArgv: ["--disable-warning=ExperimentalWarning"],
      // The service ends when the IPC channel closes.
      stdio: ["ignore", "pipe", "pipe", "ipc"],
    });
    this.#child = child;
    this.#logOutput(child.stdout);
    this.#logOutput(child.stderr);
    child.on("error", (error) => this.#log("automation", "not_started", { message: error.message }));
    child.once("close", (code, signal) => {
      this.#child = undefined;
      this.#log("automation", "process_ended", { code, signal });
      if (this.#stopped || this.#isRestarting) return;
      if (performance.now() - startedAt > SETTLED_MS) this.#delayMs = MIN_DELAY_MS;
      this.#restartTimer = setTimeout(() => this.#run(variables), this.#delayMs);
      this.#delayMs = Math.min(this.#delayMs * 2, MAX_DELAY_MS);
    });
  }

  #logOutput(stream: Readable | null): void {
    if (stream === null) return;
    createInterface({ input: stream }).on("line", (text) => {
      const { event, ...fields } = parseLine(text);
      this.#log("automation", event, fields);
    });
  }
}

/**
 * Returns the variables of an automation service of a platform on the edge.
 *
 * @param healthPort port of its health checks
 * @param engine variables for deploying tenants
 */
export function automationVariables(
  { port, domain, mail, dispatchUrls, apiUrl, apiToken, accountId }: Edge,
  environment: Environment,
  healthPort: number,
  engine: Readonly<Record<string, string>>,
  { dashboard, serviceUrl, serviceVariables, ...tokens }: Deployment,
): Record<string, string> {
  return {
    ...engine,
    ...serviceVariables,
    ENVIRONMENT: environment,
    DATABASE_URL: serviceUrl,
    SMTP_URL: mail.smtp,
    MAIL_FROM: `Tenantry <platform@${domain}>`,
    DASHBOARD_URL: `http://${dashboard}:${port}`,
    PLATFORM_DOMAIN: domain,
    DISPATCH_URL: dispatchUrls[environment],
    INVALIDATE_TOKEN: tokens.invalidateToken,
    LIVE_URL: `http://${dashboard}:${port}${LIVE_PUSH_PATH}`,
    LIVE_TOKEN: tokens.liveToken,
    CLOUDFLARE_API_URL: apiUrl,
    CLOUDFLARE_API_TOKEN: apiToken,
    CLOUDFLARE_ACCOUNT_ID: accountId,
    HEALTH_PORT: String(healthPort),
    CONCURRENCY: "2",
    ENGINE_CONCURRENCY: "1",
    ...(engine.PLATFORM_STACK !== undefined && { PROVISIONING_API_TOKEN: apiToken }),
  };
}

function parseLine(text: string): z.infer<typeof logLine> {
  try {
    return logLine.parse(JSON.parse(text));
  } catch {
    // Output of Node.js, such as a crash.
    return { event: "said", text };
  }
}
