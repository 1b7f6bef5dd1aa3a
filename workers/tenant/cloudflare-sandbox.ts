/** The sandbox port over a Cloudflare container and `@cloudflare/sandbox`: what production runs on. */
import { getSandbox, Sandbox as VendorSandbox } from "@cloudflare/sandbox";
import {
  archiveInfo,
  bytesToRestore,
  METRICS_HOST,
  PROCESS_MARKER,
  type ProcessList,
  RESTORE_OUTCOMES,
  SANDBOX_ERROR_HEADER,
  SANDBOX_PORT_HEADER,
  type SandboxActivity,
  type SandboxProcess,
} from "../contracts/sandbox.ts";
import { ActivityMeter } from "./activity-meter.ts";
import { endCommand, parseProcessQuery, parseStateQuery, processQuery, stateQuery } from "./container-commands.ts";
import type { TenantEnv } from "./env.ts";
import { metered } from "./metered-response.ts";
import { PortClosed, type SandboxPort } from "./sandbox-port.ts";
import { supervisorOf } from "./supervisor-of.ts";

/** The tenant's one container; lower case, as the vendor asks. */
const CONTAINER_NAME = "gateway";
const START_PROCESS_ID = "gateway-start";
const SCRIPTS = "/opt/tenantry";
const SCRIPT = `export ${PROCESS_MARKER}="script:$$"; exec node ${SCRIPTS}/start-gateway.mjs`;
const LOGS = "/workspace/logs";
const STATE = "/workspace/state";
const ARCHIVES = "/workspace/run/archives";
const MAX_PROBE_BYTES = 64_000;
/** In what the vendor's runtime throws for a port that is closed. */
const NOT_LISTENING = "not listening";

/**
 * The vendor's class, and ways into the container that neither start it nor renew its sleep timer, as every call of the
 * vendor's own client does (vendor: "Durable Object Container", `exec` and `getTcpPort`).
 *
 * When it sleeps is for the Supervisor alone to decide, which backs the state up before.
 */
export class Sandbox extends VendorSandbox<TenantEnv> {
  #meter: ActivityMeter | undefined;
  #ending = false;
  #passes = false;

  constructor(ctx: DurableObjectState<Record<string, never>>, env: TenantEnv) {
    super(ctx, env);
    // An object that was evicted takes up a container that runs.
    if (ctx.container?.running) ctx.waitUntil(this.#openMetricsHost());
  }

  override async onStart(): Promise<void> {
    this.#meter = new ActivityMeter();
    await this.#openMetricsHost();
    await super.onStart();
  }

  /** Lets the gateway report metrics at {@link METRICS_HOST}. Without them it runs all the same. */
  async #openMetricsHost(): Promise<void> {
    try {
      await this.ctx.container?.interceptOutboundHttp(METRICS_HOST, this.ctx.exports.Egress({}));
    } catch (error) {
      console.error(JSON.stringify({ event: "metrics-host.not-open", message: String(error) }));
    }
  }

  /** Where the vendor's would stop the container without a backup: reminds the Supervisor, whose alarm may be lost. */
  override async onActivityExpired(): Promise<void> {
    try {
      await supervisorOf(this.env).checkSleep();
    } catch (error) {
      console.error(JSON.stringify({ event: "sleep-check.failed", message: String(error) }));
    }
  }

  /** Requests that carry {@link SANDBOX_PORT_HEADER} are tenant traffic, and pass only while the container runs. */
  override async fetch(request: Request): Promise<Response> {
    const port = Number(request.headers.get(SANDBOX_PORT_HEADER));
    if (!(port > 0)) return super.fetch(request);
    const container = this.ctx.container;
    if (!container?.running || this.#ending || !this.#passes) return closed();
    const headers = new Headers(request.headers);
    headers.delete(SANDBOX_PORT_HEADER);
    // The port speaks plain HTTP.
    const url = request.url.replace(/^https:/, "http:");
    const passed = new Request(url, new Request(request, { headers, redirect: "manual" }));
    try {
      return await metered(this.#traffic(), request.method, () => container.getTcpPort(port).fetch(passed));
    } catch (error) {
      if (!container.running || String(error).includes(NOT_LISTENING)) return closed();
      throw error;
    }
  }

  /** Lets tenant traffic pass, or not. */
  setTraffic(passes: boolean): void {
    this.#passes = passes;
  }

  /** The processes as {@link processQuery} prints them, and the traffic; `undefined` while the container does not run. */
  async observe(): Promise<{ processes: string; activity: SandboxActivity } | undefined> {
    const processes = await this.look(processQuery());
    return processes === undefined ? undefined : { processes, activity: this.#traffic().read() };
  }

  /** Ends the gateway and the startup script, with no traffic meanwhile. @returns false when there was some within `idleMs` */
  async end(idleMs: number | undefined): Promise<boolean> {
    if (!this.ctx.container?.running) return true;
    if (idleMs !== undefined && this.#traffic().read().idleMs < idleMs) return false;
    this.#ending = true;
    try {
      const pids = parseProcessQuery((await this.look(processQuery())) ?? "").processes.map(({ id }) => id);
      if (pids.length > 0) await this.look(endCommand(pids));
      return true;
    } finally {
      this.#ending = false;
    }
  }

  /** The meter of this waking; a new one when this object was evicted meanwhile. */
  #traffic(): ActivityMeter {
    this.#meter ??= new ActivityMeter();
    return this.#meter;
  }

  /** What a shell command prints; `undefined` while the container does not run. */
  async look(command: string): Promise<string | undefined> {
    const container = this.ctx.container;
    if (!container?.running) return undefined;
    const process = await container.exec(["sh", "-c", command], { stderr: "ignore" });
    const { stdout } = await process.output();
    return new TextDecoder().decode(stdout);
  }

  /** Runs a command to its end. @throws Error while the container does not run */
  async run(command: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
    const process = await this.#awake().exec(command);
    const { exitCode, stdout, stderr } = await process.output();
    const decoder = new TextDecoder();
    return { code: exitCode, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
  }

  /** A file's bytes. @throws Error while the container does not run */
  async read(path: string): Promise<ReadableStream> {
    const { stdout } = await this.#awake().exec(["cat", path], { stderr: "ignore" });
    if (stdout === null) throw new Error("the container gives no output");
    return stdout;
  }

  /** Writes a file from a stream. @throws Error when it is not written, or the container does not run */
  async write(path: string, body: ReadableStream): Promise<void> {
    const command = 'mkdir -p "$(dirname "$1")" && cat > "$1"';
    const process = await this.#awake().exec(["sh", "-c", command, "sh", path], { stdin: body, stdout: "ignore" });
    if ((await process.exitCode) !== 0) throw new Error("the container could not write the file");
  }

  /** Stops the container, if it runs: its disk is lost. */
  async sleep(): Promise<void> {
    if (this.ctx.container?.running) await this.destroy();
    this.#meter = undefined;
  }

  #awake(): Container {
    const container = this.ctx.container;
    if (!container?.running) throw new Error("the container does not run");
    return container;
  }

  /** Asks a port of the container; `undefined` while the container does not run. */
  async ask(port: number, path: string, timeoutMs: number): Promise<{ status: number; body: string } | undefined> {
    const container = this.ctx.container;
    if (!container?.running) return undefined;
    const response = await container.getTcpPort(port).fetch(`http://localhost:${port}${path}`, {
      redirect: "manual",
      signal: AbortSignal.timeout(timeoutMs),
    });
    return { status: response.status, body: (await response.text()).slice(0, MAX_PROBE_BYTES) };
  }
}

/** Longest a look inside may take whatever signal the caller holds, in milliseconds: a call of an object cannot be aborted. */
const ASK_TIMEOUT_MS = 30_000;

/** Settles with `work`, or rejects when `signal` ends. */
function until<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });
}

const closed = (): Response => new Response(null, { status: 502, headers: { [SANDBOX_ERROR_HEADER]: "closed" } });

const archivePath = (name: string): string => `${ARCHIVES}/${name}.tar.gz`;

const lastLine = (text: string): string => text.trimEnd().split("\n").at(-1) ?? "";

/** @param namespace the `Sandbox` binding */
export function cloudflareSandbox(namespace: DurableObjectNamespace<Sandbox>): SandboxPort {
  const sandbox = getSandbox(namespace, CONTAINER_NAME);
  const observer = namespace.get(namespace.idFromName(CONTAINER_NAME));

  const list = async (): Promise<ProcessList> => {
    const seen = await observer.observe();
    return seen === undefined ? { processes: [] } : { ...parseProcessQuery(seen.processes), activity: seen.activity };
  };

  return {
    listProcesses: (signal) => until(signal, list()),
    async probe(port, path, signal) {
      const answer = await until(signal, observer.ask(port, path, ASK_TIMEOUT_MS));
      if (answer === undefined) throw new PortClosed(port);
      return answer;
    },
    async start(env) {
      const { processes } = await list();
      const running = processes.find(({ type }) => type === "gateway") ?? processes[0];
      if (running !== undefined) return { started: false, process: running };
      // The startup script's own lock decides when two calls get here at once.
      const started = await sandbox.startProcess(`sh -c '${SCRIPT}'`, { processId: START_PROCESS_ID, env });
      const process: SandboxProcess = { id: String(started.pid ?? started.id), type: "script", status: "running" };
      return { started: true, process };
    },
    kill: (idleMs) => observer.end(idleMs),
    sleep: () => observer.sleep(),
    async fetch(request, port) {
      const headers = new Headers(request.headers);
      headers.set(SANDBOX_PORT_HEADER, String(port));
      const response = await observer.fetch(new Request(request, { headers, redirect: "manual" }));
      if (response.headers.get(SANDBOX_ERROR_HEADER) !== "closed") return response;
      await response.body?.cancel();
      throw new PortClosed(port);
    },
    setTraffic: (passes, signal) => until(signal, observer.setTraffic(passes)),
    async readLog(lines) {
      const text = (await observer.look(`tail -qn ${lines} ${LOGS}/start.log ${LOGS}/gateway.log`)) ?? "";
      return text
        .split("\n")
        .slice(-lines - 1)
        .filter((line) => line !== "");
    },
    inspectState: (signal) =>
      until(signal, observer.look(stateQuery(STATE))).then((output) => parseStateQuery(output ?? "")),
    async createArchive(name, state) {
      const parameters = state === undefined ? [name] : [name, state];
      const { code, stdout, stderr } = await observer.run(["node", `${SCRIPTS}/backup.mjs`, ...parameters]);
      if (code !== 0) throw new Error(`the backup failed: ${lastLine(stderr)}`);
      return archiveInfo.parse(JSON.parse(stdout));
    },
    readArchive: (name) => observer.read(archivePath(name)),
    async removeArchive(name) {
      await observer.look(`rm -f '${archivePath(name)}'`);
    },
    async restoreArchive(name, archive, body) {
      const script = ["node", `${SCRIPTS}/restore.mjs`];
      // The vendor's own call wakes the container, whose disk is then as the image has it.
      await sandbox.exec("true");
      const room = await observer.run([...script, "--room", String(bytesToRestore(archive))]);
      // An earlier image does not know the question.
      if (RESTORE_OUTCOMES[room.code] === "full") {
        await body.cancel();
        return { outcome: "full", reason: lastLine(room.stderr) };
      }
      await observer.write(archivePath(name), body);
      const { code, stderr } = await observer.run([...script, name, archive.sha256]);
      const outcome = RESTORE_OUTCOMES[code];
      if (outcome === undefined) throw new Error(`the restore failed: ${lastLine(stderr)}`);
      return { outcome, reason: lastLine(stderr) };
    },
  };
}
