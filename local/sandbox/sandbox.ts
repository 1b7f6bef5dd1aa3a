/**
 * One sandbox: its directory, its processes, and the lock that lets only one gateway run in it. What is running is read
 * from the operating system each time, so a new object on the same directory goes on where another left off.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { z } from "zod";
import { GATEWAY_PORT } from "../../workers/contracts/health-snapshot.ts";
import {
  type ArchiveInfo,
  archiveInfo,
  METRICS_ENDPOINT_VARIABLE,
  type ProcessList,
  RESTORE_OUTCOMES,
  type RestoreAnswer,
  type restoreRequest,
  type SandboxProcess,
  type StartAnswer,
  type StateInfo,
} from "../../workers/contracts/sandbox.ts";
import { ActivityMeter } from "../../workers/tenant/activity-meter.ts";
import { freePort } from "../free-port.ts";
import type { Log } from "../log.ts";
import { runContainerScript, type ScriptResult } from "./container-script.ts";
import {
  endProcesses,
  type FoundProcess,
  findProcesses,
  inspectProcess,
  ProcessWatch,
  SANDBOX_MARKER,
} from "./processes.ts";
import {
  emptySandboxDirectory,
  openSandboxDirectory,
  readFailure,
  readState,
  type SandboxDirectory,
  tailLines,
} from "./sandbox-directory.ts";

/** How long processes may take to end by themselves, in milliseconds. */
const STOP_GRACE_MS = 5_000;

/** Variables of the edge that a sandbox's processes see; everything else is left out. */
const INHERITED = ["PATH", "LANG", "LC_ALL", "TZ", "NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE"];

export interface SandboxOptions {
  /** Absolute path of the sandbox's directory. */
  root: string;
  /** The startup script: a Node program; `backup.mjs` and `restore.mjs` lie beside it. */
  startScript: string;
  /** Command and arguments of the gateway; `{port}` and `{bind}` are replaced. */
  gatewayCommand: string[];
  /** Where the gateway exports metrics to; as its caller says without it. */
  metricsEndpoint?: string;
  log: Log;
}

function describe(found: FoundProcess & { type: SandboxProcess["type"] }): SandboxProcess {
  return { id: String(found.pid), type: found.type, status: found.state === "T" ? "suspended" : "running" };
}

function isPrincipal(found: FoundProcess): found is FoundProcess & { type: SandboxProcess["type"] } {
  return found.type !== undefined;
}

export class Sandbox {
  readonly #options: SandboxOptions;
  readonly #directory: SandboxDirectory;
  readonly #watch: ProcessWatch;
  /** The startup script started last, while it runs. */
  #script: ChildProcess | undefined;
  /** Port the gateway was given last. */
  #port: number | undefined;
  /** Absent while it sleeps. */
  #meter: ActivityMeter | undefined;
  /** Whether traffic passes to the gateway. */
  passes = true;
  /** Whether its processes are being ended, so that no traffic may pass. */
  #ending = false;
  #queue: Promise<unknown> = Promise.resolve();
  #closed = false;

  constructor(options: SandboxOptions) {
    this.#options = options;
    this.#directory = openSandboxDirectory(options.root);
    this.#watch = new ProcessWatch(options.root);
    // What an earlier edge left is a disk, and a sandbox with a disk is awake.
    if (!readState(this.#directory).empty) this.wake();
  }

  /** The meter of its traffic, `undefined` while it sleeps. */
  get meter(): ActivityMeter | undefined {
    return this.#meter;
  }

  wake(): void {
    this.#meter ??= new ActivityMeter();
  }

  /** The gateway and the startup script, in one pass over the operating system's processes. */
  list(): ProcessList {
    return this.#listed(this.#watch.find());
  }

  /** {@link list} without what it remembers of the pass before, for who would do harm by missing one. */
  #listAnew(): ProcessList {
    return this.#listed(findProcesses(this.#options.root));
  }

  #listed(all: readonly FoundProcess[]): ProcessList {
    const found = all.filter(isPrincipal);
    this.#port = found.find(({ port }) => port !== undefined)?.port;
    const failure = readFailure(this.#directory);
    return {
      processes: found.map(describe),
      ...(failure && { failure }),
      ...(this.#meter && { activity: this.#meter.read() }),
    };
  }

  /**
   * Runs the startup script unless one or a gateway is running. Calls wait for each other, so only one starts it.
   *
   * @param env variables of the script and the gateway; those that say where they run are the sandbox's own
   */
  start(env: Record<string, string>): Promise<StartAnswer> {
    return this.#alone(async () => {
      if (this.#closed) throw new Error("the sandbox is closed");
      this.wake();
      const { processes } = this.#listAnew();
      const running = processes.find(({ type }) => type === "gateway") ?? processes[0];
      if (running !== undefined) return { started: false, process: running };
      // What a gateway that is gone left behind must not write beside a new one.
      await endProcesses(this.#options.root, STOP_GRACE_MS);
      this.#port = await freePort();
      const pid = await this.#launch(env, this.#port);
      return { started: true, process: { id: String(pid), type: "script", status: "running" } };
    });
  }

  /**
   * Ends every process of the sandbox; no traffic passes meanwhile.
   *
   * @param idleMs only when there was no traffic for that long
   * @returns how many there were, or `undefined` when there was traffic
   */
  kill(idleMs?: number): Promise<number | undefined> {
    return this.#alone(async () => {
      if (idleMs !== undefined && this.#meter !== undefined && this.#meter.read().idleMs < idleMs) return undefined;
      return this.#end();
    });
  }

  /** Ends every process and empties the directory, as a container that stops loses its disk. @returns how many there were */
  sleep(): Promise<number> {
    return this.#alone(async () => {
      const ended = await this.#end();
      this.#meter = undefined;
      emptySandboxDirectory(this.#directory);
      return ended;
    });
  }

  /** Ends every process and takes no new start. */
  close(): Promise<unknown> {
    this.#closed = true;
    return this.kill();
  }

  /** Where archives lie on their way in and out. */
  get archives(): string {
    return join(this.#directory.run, "archives");
  }

  state(): StateInfo {
    return readState(this.#directory);
  }

  /**
   * Archives the state, while a gateway may be writing it.
   *
   * @throws Error with the script's reason when there is no archive, or when it sleeps
   */
  async archive(name: string, state?: string): Promise<ArchiveInfo> {
    if (this.#meter === undefined) throw new Error("the sandbox sleeps");
    const { code, stdout, reason } = await this.#runScript("backup.mjs", state === undefined ? [name] : [name, state]);
    if (code !== 0) throw new Error(`the backup failed: ${reason || `code ${code}`}`);
    return archiveInfo.parse(JSON.parse(stdout));
  }

  /**
   * Restores an archive into the empty state directory; no start happens meanwhile.
   *
   * @throws Error when it could not be tried
   */
  restore({ name, sha256, bytes }: z.infer<typeof restoreRequest>): Promise<RestoreAnswer> {
    return this.#alone(async () => {
      if (this.#closed) throw new Error("the sandbox is closed");
      if (this.#listAnew().processes.length > 0) return { outcome: "occupied", reason: "a gateway is running" };
      const room = await this.#restoreBy(["--room", String(bytes)]);
      return room.outcome === "full" ? room : this.#restoreBy([name, sha256]);
    });
  }

  async #restoreBy(parameters: string[]): Promise<RestoreAnswer> {
    const { code, reason } = await this.#runScript("restore.mjs", parameters);
    const outcome = code === null ? undefined : RESTORE_OUTCOMES[code];
    if (outcome === undefined) throw new Error(`the restore failed: ${reason || `code ${code}`}`);
    return { outcome, ...(reason === "" ? {} : { reason }) };
  }

  /** The last lines of the startup script's log and of the gateway's, in this order. */
  logLines(count: number): string[] {
    const { logs } = this.#directory;
    return [...tailLines(join(logs, "start.log"), count), ...tailLines(join(logs, "gateway.log"), count)].slice(-count);
  }

  /** The loopback port behind a port of the sandbox; `undefined` when nothing was ever started behind it. */
  mappedPort(port: number): number | undefined {
    if (port !== GATEWAY_PORT || this.#ending) return undefined;
    if (this.#port === undefined) this.list();
    return this.#port;
  }

  /** Returns once the script carries its marker, so that every later look at the processes sees it. */
  async #launch(env: Record<string, string>, port: number): Promise<number> {
    const script = this.#spawnScript(env, port);
    await new Promise<void>((resolve, reject) => {
      script.once("spawn", resolve);
      script.once("error", reject);
    });
    const pid = script.pid ?? 0;
    while (this.#script === script && inspectProcess(pid, this.#options.root)?.type !== "script") await delay(1);
    return pid;
  }

  #spawnScript(env: Record<string, string>, port: number): ChildProcess {
    const { root, workspace, logs, run } = this.#directory;
    rmSync(join(run, "start-failure.json"), { force: true });
    const output = openSync(join(logs, "start.log"), "w", 0o600);
    const script = spawn(
      "sh",
      // The shell's own pid stays the script's after `exec`, so the marker tells it from its children.
      ["-c", 'export TENANTRY_PROCESS="script:$$"; exec "$0" "$1"', process.execPath, this.#options.startScript],
      {
        cwd: workspace,
        detached: true,
        stdio: ["ignore", output, output],
        env: {
          ...env,
          ...this.#environment(),
          GATEWAY_BIND: "loopback",
          GATEWAY_COMMAND: JSON.stringify(this.#options.gatewayCommand),
          GATEWAY_PORT: String(port),
        },
      },
    );
    closeSync(output);
    this.#script = script;
    const ended = (): void => {
      if (this.#script === script) this.#script = undefined;
    };
    script.once("error", ended);
    script.once("exit", (code, signal) => {
      ended();
      this.#options.log("sandbox", "start-script.exit", { sandbox: root, code, signal });
    });
    this.#options.log("sandbox", "start-script.start", { sandbox: root, pid: script.pid, port });
    return script;
  }

  /** Where the sandbox's processes are, whatever their caller says. */
  #environment(): Record<string, string> {
    const { root, workspace, state, logs, run } = this.#directory;
    const { metricsEndpoint } = this.#options;
    const inherited = INHERITED.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]));
    return {
      ...Object.fromEntries(inherited),
      HOME: workspace,
      [SANDBOX_MARKER]: root,
      ...(metricsEndpoint === undefined ? {} : { [METRICS_ENDPOINT_VARIABLE]: metricsEndpoint }),
      STATE_DIR: state,
      LOG_DIR: logs,
      RUN_DIR: run,
    };
  }

  #runScript(script: string, parameters: readonly string[]): Promise<ScriptResult> {
    const path = join(dirname(this.#options.startScript), script);
    return runContainerScript(path, parameters, { cwd: this.#directory.workspace, env: this.#environment() });
  }

  async #end(): Promise<number> {
    this.#ending = true;
    try {
      const ended = await endProcesses(this.#options.root, STOP_GRACE_MS);
      // Another sandbox's gateway may get the port next.
      this.#port = undefined;
      return ended;
    } finally {
      this.#ending = false;
    }
  }

  #alone<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#queue.then(work, work);
    this.#queue = result.catch(() => {});
    return result;
  }
}
