/** The sandbox port over a Cloudflare container and `@cloudflare/sandbox`: what production runs on. */
import { getSandbox, Sandbox as VendorSandbox } from "@cloudflare/sandbox";
import { PROCESS_MARKER, type ProcessList, type SandboxProcess } from "../contracts/sandbox.ts";
import { endCommand, parseProcessQuery, processQuery } from "./container-commands.ts";
import { PortClosed, type SandboxPort } from "./sandbox-port.ts";

/** The tenant's one container; lower case, as the vendor asks. */
const CONTAINER_NAME = "gateway";
const START_PROCESS_ID = "gateway-start";
const SCRIPT = `export ${PROCESS_MARKER}="script:$$"; exec node /opt/tenantry/start-gateway.mjs`;
const LOGS = "/workspace/logs";
const MAX_PROBE_BYTES = 64_000;

/**
 * The vendor's class, and two ways of looking at the container that neither start it nor renew its sleep timer, as every
 * call of the vendor's own client does (vendor: "Durable Object Container", `exec` and `getTcpPort`).
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
  };
}
