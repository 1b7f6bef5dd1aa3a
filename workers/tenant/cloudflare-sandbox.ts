/** The sandbox port over a Cloudflare container and `@cloudflare/sandbox`: what production runs on. */
import { getSandbox, Sandbox as VendorSandbox } from "@cloudflare/sandbox";
import {
  archiveInfo,
  PROCESS_MARKER,
  type ProcessList,
  RESTORE_OUTCOMES,
  type SandboxProcess,
} from "../contracts/sandbox.ts";
import { endCommand, parseProcessQuery, parseStateQuery, processQuery, stateQuery } from "./container-commands.ts";
import { PortClosed, type SandboxPort } from "./sandbox-port.ts";

/** The tenant's one container; lower case, as the vendor asks. */
const CONTAINER_NAME = "gateway";
const START_PROCESS_ID = "gateway-start";
const SCRIPTS = "/opt/tenantry";
const SCRIPT = `export ${PROCESS_MARKER}="script:$$"; exec node ${SCRIPTS}/start-gateway.mjs`;
const LOGS = "/workspace/logs";
const STATE = "/workspace/state";
const ARCHIVES = "/workspace/run/archives";
const MAX_PROBE_BYTES = 64_000;

/**
 * The vendor's class, and ways into the container that neither start it nor renew its sleep timer, as every call of the
 * vendor's own client does (vendor: "Durable Object Container", `exec` and `getTcpPort`).
 */
export class Sandbox extends VendorSandbox {
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

const archivePath = (name: string): string => `${ARCHIVES}/${name}.tar.gz`;

const lastLine = (text: string): string => text.trimEnd().split("\n").at(-1) ?? "";

/** @param namespace the `Sandbox` binding */
export function cloudflareSandbox(namespace: DurableObjectNamespace<Sandbox>): SandboxPort {
  const sandbox = getSandbox(namespace, CONTAINER_NAME);
  const observer = namespace.get(namespace.idFromName(CONTAINER_NAME));

  const list = async (): Promise<ProcessList> => parseProcessQuery((await observer.look(processQuery())) ?? "");

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
    async kill() {
      const pids = (await list()).processes.map(({ id }) => id);
      if (pids.length > 0) await observer.look(endCommand(pids));
    },
    fetch: (request, port) =>
      request.headers.get("upgrade")?.toLowerCase() === "websocket"
        ? sandbox.wsConnect(request, port)
        : sandbox.containerFetch(request, port),
    async readLog(lines) {
      const text = (await observer.look(`tail -qn ${lines} ${LOGS}/start.log ${LOGS}/gateway.log`)) ?? "";
      return text
        .split("\n")
        .slice(-lines - 1)
        .filter((line) => line !== "");
    },
    inspectState: (signal) =>
      until(signal, observer.look(stateQuery(STATE))).then((output) => parseStateQuery(output ?? "")),
    async createArchive(name) {
      const { code, stdout, stderr } = await observer.run(["node", `${SCRIPTS}/backup.mjs`, name]);
      if (code !== 0) throw new Error(`the backup failed: ${lastLine(stderr)}`);
      return archiveInfo.parse(JSON.parse(stdout));
    },
    readArchive: (name) => observer.read(archivePath(name)),
    async removeArchive(name) {
      await observer.look(`rm -f '${archivePath(name)}'`);
    },
    async restoreArchive(name, { sha256 }, body) {
      // The vendor's own call wakes the container, whose disk is then as the image has it.
      await sandbox.exec("true");
      await observer.write(archivePath(name), body);
      const { code, stderr } = await observer.run(["node", `${SCRIPTS}/restore.mjs`, name, sha256]);
      const outcome = RESTORE_OUTCOMES[code];
      if (outcome === undefined) throw new Error(`the restore failed: ${lastLine(stderr)}`);
      return { outcome, reason: lastLine(stderr) };
    },
  };
}
