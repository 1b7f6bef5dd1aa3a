/** The sandbox port over the tenant's container, reached through its Durable Object. */
import {
  archiveInfo,
  bytesToRestore,
  type GatewayWork,
  gatewayWork,
  type ProcessList,
  RESTORE_FULL,
  RESTORE_OUTCOMES,
  SANDBOX_ERROR_HEADER,
  SANDBOX_PORT_HEADER,
  versionAnswer,
} from "#workers/contracts/tenant/sandbox.ts";
import type { TenantEnv } from "../env.ts";
import type { SandboxCalls } from "./calls.ts";
import {
  logQuery,
  parseStateQuery,
  readArchiveCommand,
  removeArchiveCommand,
  scriptCommand,
  stateQuery,
  writeArchiveCommand,
} from "./commands.ts";
import { PortClosed, type SandboxPort, type WorkAnswer } from "./port.ts";
import { parseWorkQuery, workQuery } from "./work-measure.ts";

/** The tenant's one container. */
const CONTAINER_NAME = "gateway";
const VERSIONS_SCRIPT = "versions.mjs";
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

/** What `work.mjs` printed; `undefined` when that is no answer. */
function toldWork(printed: string): GatewayWork | undefined {
  try {
    return gatewayWork.parse(JSON.parse(printed));
  } catch {
    return undefined;
  }
}

const lastLine = (text: string): string => text.trimEnd().split("\n").at(-1) ?? "";

/** The Durable Object of the tenant's container. */
export function sandboxObjectOf({ Sandbox: namespace }: TenantEnv): DurableObjectStub<SandboxCalls> {
  return namespace.get(namespace.idFromName(CONTAINER_NAME));
}

/** The tenant's sandbox. It holds a stub, so it serves the request or the object that it was made in and no other. */
export function sandboxOf(env: TenantEnv): SandboxPort {
  const sandbox = sandboxObjectOf(env);

  const list = async (): Promise<ProcessList> => {
    const observed = await sandbox.observe();
    if (observed === undefined) return { processes: [] };
    const { seen, activity } = observed;
    const { family: _, ...list } = seen;
    return { ...list, activity };
  };

  const askWork = async (): Promise<WorkAnswer> => {
    // An earlier image does not have it.
    const { code, stdout } = await sandbox.run(scriptCommand("work.mjs"));
    const told = code === 0 ? toldWork(stdout) : undefined;
    if (told !== undefined) return { work: told, told: true };
    // Who waits for a model takes no time of the processor, and its connection may look like one of the container's own.
    if (await sandbox.asksModels()) return { work: { busy: true, reason: "it asks a model" }, told: false };
    const measured = await sandbox.look(workQuery());
    if (measured === undefined) throw new Error("the container does not run");
    return { work: parseWorkQuery(measured), told: false };
  };

  const ask = async (signal: AbortSignal, port: number, path: string, body?: string) => {
    const answer = await until(signal, sandbox.ask(port, path, ASK_TIMEOUT_MS, body));
    if (answer === undefined) throw new PortClosed(port);
    return answer;
  };

  return {
    listProcesses: (signal) => until(signal, list()),
    probe: (port, path, signal) => ask(signal, port, path),
    post: (port, path, body, signal) => ask(signal, port, path, body),
    start: (env) => sandbox.start(env),
    kill: (idleMs) => sandbox.end(idleMs),
    sleep: () => sandbox.sleep(),
    setTraffic: (passes, signal) => until(signal, sandbox.setTraffic(passes)),
    cut: () => sandbox.cut(),
    async fetch(request, port) {
      const headers = new Headers(request.headers);
      headers.set(SANDBOX_PORT_HEADER, String(port));
      const response = await sandbox.fetch(new Request(request, { headers, redirect: "manual" }));
      if (response.headers.get(SANDBOX_ERROR_HEADER) !== "closed") return response;
      await response.body?.cancel();
      throw new PortClosed(port);
    },
    askWork: (signal) => until(signal, askWork()),
    async readLog(lines) {
      const text = (await sandbox.look(logQuery(lines))) ?? "";
      return text
        .split("\n")
        .filter((line) => line !== "")
        .slice(-lines);
    },
    inspectState: (signal) => until(signal, sandbox.look(stateQuery())).then((output) => parseStateQuery(output ?? "")),
    async askVersions(of) {
      await sandbox.wake();
      const parameters = of === undefined ? [] : [of.name, of.version];
      const { code, stdout, stderr } = await sandbox.run(scriptCommand(VERSIONS_SCRIPT, ...parameters));
      if (code === 0) return versionAnswer.parse(JSON.parse(stdout));
      if (stderr.includes("MODULE_NOT_FOUND") && stderr.includes(VERSIONS_SCRIPT)) return { age: "unknown" };
      throw new Error(`the image did not tell its gateway's version: ${lastLine(stderr)}`);
    },
    async createArchive(name, state) {
      const parameters = state === undefined ? [name] : [name, state];
      const { code, stdout, stderr } = await sandbox.run(scriptCommand("backup.mjs", ...parameters));
      if (code !== 0) throw new Error(`the backup failed: ${lastLine(stderr)}`);
      return archiveInfo.parse(JSON.parse(stdout));
    },
    readArchive: (name) => sandbox.read(readArchiveCommand(name)),
    async removeArchive(name) {
      await sandbox.run(removeArchiveCommand(name));
    },
    async restoreArchive(name, archive, body) {
      // Its disk is then as the image has it.
      await sandbox.wake();
      const room = await sandbox.run(scriptCommand("restore.mjs", "--make-room", String(bytesToRestore(archive))));
      // An earlier image does not know the question.
      if (RESTORE_OUTCOMES[room.code] === "full") {
        await body.cancel();
        return { outcome: "full", reason: lastLine(room.stderr) };
      }
      let written: number | undefined;
      try {
        written = await sandbox.write(writeArchiveCommand(name), body);
      } finally {
        // What came of it would be in the next one's way.
        if (written !== 0) await sandbox.run(removeArchiveCommand(name)).catch(() => {});
      }
      if (written === RESTORE_FULL)
        return { outcome: "full", reason: "the disk was full before the archive was whole" };
      if (written !== 0) throw new Error("the container could not write the archive");
      const { code, stderr } = await sandbox.run(scriptCommand("restore.mjs", name, archive.sha256));
      const outcome = RESTORE_OUTCOMES[code];
      if (outcome === undefined) throw new Error(`the restore failed: ${lastLine(stderr)}`);
      return { outcome, ...(stderr.trim() === "" ? {} : { reason: lastLine(stderr) }) };
    },
  };
}
