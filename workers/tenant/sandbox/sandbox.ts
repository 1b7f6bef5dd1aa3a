/** The tenant's sandbox, reached through the container's Durable Object. */
import { rejectionBy, withTimeout } from "@tenantry/std/within";
import { CUT_AT_HEADER, timeIn } from "#workers/contracts/platform-headers.ts";
import { doctorOutput } from "#workers/contracts/tenant/doctor.ts";
import {
  archiveInfo,
  bytesToRestore,
  gatewayWork,
  type ProcessList,
  RESTORE_FULL,
  RESTORE_OUTCOMES,
  SANDBOX_ERROR_HEADER,
  SANDBOX_PORT_HEADER,
  versionAnswer,
} from "#workers/contracts/tenant/sandbox.ts";
import { jsonOf } from "#workers/shared/env.ts";
import { isSafe, objectCalls } from "#workers/shared/object-calls.ts";
import type { TenantEnv } from "../env.ts";
import {
  logQuery,
  parseStateQuery,
  readArchiveCommand,
  removeArchiveCommand,
  scriptCommand,
  stateQuery,
  writeArchiveCommand,
} from "./commands.ts";
import { AdmittedBeforeCut, PortClosed, type SandboxPort, type WorkAnswer } from "./port.ts";
import { parseWorkQuery, workQuery } from "./work-measure.ts";

const CONTAINER_NAME = "gateway";
const VERSIONS_SCRIPT = "versions.mjs";
const FILES_SCRIPT = "state/files.mjs";
const DOCTOR_SCRIPT = "doctor/doctor.mjs";
/** Longer than the limits of the script. */
const DOCTOR_LIMIT_MS = 180_000;
/** Exit codes of the script for no doctor, and one that took too long. */
const [NO_DOCTOR, TOO_SLOW] = [69, 75];
const isMissing = (stderr: string, script: string): boolean =>
  stderr.includes("MODULE_NOT_FOUND") && stderr.includes(script);
/** Time limit for a request to a port, in milliseconds. It applies besides the caller's signal, which cannot abort an RPC. */
const REQUEST_TIMEOUT_MS = 30_000;

/** Settles with `work`, or rejects when `signal` aborts. */
const untilAborted = <T>(signal: AbortSignal, work: Promise<T>): Promise<T> =>
  Promise.race([rejectionBy(signal), work]);

const lastLine = (text: string): string => text.trimEnd().split("\n").at(-1) ?? "";

/** Returns the container's Durable Object. */
export function sandboxObjectOf({ Sandbox: namespace }: Pick<TenantEnv, "Sandbox">) {
  return objectCalls(() => namespace.get(namespace.idFromName(CONTAINER_NAME)), {
    fetch: isSafe,
    setTraffic: true,
    cut: true,
    followEgress: true,
    egress: true,
    modelCall: true,
    hasModelCalls: true,
    observe: true,
    start: true,
    end: true,
    wake: true,
    sleep: true,
    // All queries only read.
    query: true,
    run: false,
    read: true,
    write: false,
    request: (_port: number, _path: string, _timeoutMs: number, body?: string) => body === undefined,
  });
}

/** Returns the tenant's sandbox. */
export function sandboxOf(env: Pick<TenantEnv, "Sandbox">): SandboxPort {
  const sandbox = sandboxObjectOf(env);

  const list = async (): Promise<ProcessList> => {
    const observed = await sandbox.observe();
    if (observed === undefined) return { processes: [] };
    const { seen, activity } = observed;
    const { family: _, ...list } = seen;
    return { ...list, activity };
  };

  const reportWork = async () => {
    // Fails with an earlier image, which does not have the script.
    const { code, stdout } = await sandbox.run(scriptCommand("work.mjs"));
    return code === 0 ? jsonOf(gatewayWork).safeParse(stdout).data : undefined;
  };

  const getWork = async (): Promise<WorkAnswer> => {
    const reported = await reportWork();
    if (reported !== undefined) return { work: reported, isReported: true };
    // A gateway that waits for a model uses no CPU, and its connection may appear to be local.
    if (await sandbox.hasModelCalls())
      return { work: { busy: true, reason: "a model call is in progress" }, isReported: false };
    const measured = await sandbox.query(workQuery());
    if (measured === undefined) throw new Error("The container is not running.");
    return { work: parseWorkQuery(measured), isReported: false };
  };

  const request = async (signal: AbortSignal, port: number, path: string, body?: string) => {
    const response = await untilAborted(signal, sandbox.request(port, path, REQUEST_TIMEOUT_MS, body));
    if (response === undefined) throw new PortClosed(port);
    return response;
  };

  return {
    listProcesses: (signal) => untilAborted(signal, list()),
    probe: (port, path, signal) => request(signal, port, path),
    post: (port, path, body, signal) => request(signal, port, path, body),
    start: (env) => sandbox.start(env),
    kill: (idleMs) => sandbox.end(idleMs),
    sleep: () => sandbox.sleep(),
    setTraffic: (passes, cutAt, signal) => untilAborted(signal, sandbox.setTraffic(passes, cutAt)),
    cut: (at) => sandbox.cut(at),
    followEgress: () => sandbox.followEgress(),
    egress: () => sandbox.egress(),
    async fetch(request, port) {
      const headers = new Headers(request.headers);
      headers.set(SANDBOX_PORT_HEADER, String(port));
      const response = await sandbox.fetch(new Request(request, { headers, redirect: "manual" }));
      const error = response.headers.get(SANDBOX_ERROR_HEADER);
      if (error !== "closed" && error !== "cut") return response;
      await response.body?.cancel();
      const cutAt = error === "cut" ? timeIn(response.headers, CUT_AT_HEADER) : undefined;
      throw cutAt === undefined ? new PortClosed(port) : new AdmittedBeforeCut(cutAt);
    },
    reportWork: (signal) => untilAborted(signal, reportWork()),
    getWork: (signal) => untilAborted(signal, getWork()),
    async readLog(lines) {
      const text = (await sandbox.query(logQuery(lines))) ?? "";
      const all = text.split("\n").filter((line) => line !== "");
      return all.slice(-lines);
    },
    async runDoctor(repairs) {
      const running = sandbox.run(scriptCommand(DOCTOR_SCRIPT, ...(repairs ? ["--fix"] : [])));
      const ended = await withTimeout(DOCTOR_LIMIT_MS, running);
      if (ended === undefined || ended.code === TOO_SLOW) return { fault: "too_slow", details: "" };
      const { code, stdout, stderr } = ended;
      if (code === NO_DOCTOR || isMissing(stderr, DOCTOR_SCRIPT)) return { fault: "no_doctor", details: "" };
      const output = code === 0 ? jsonOf(doctorOutput).safeParse(stdout).data : undefined;
      return output ?? { fault: "failed", details: lastLine(stderr) };
    },
    inspectState: async (signal) => parseStateQuery((await untilAborted(signal, sandbox.query(stateQuery()))) ?? ""),
    async getVersions(of) {
      await sandbox.wake();
      const parameters = of === undefined ? [] : [of.name, of.version];
      const { code, stdout, stderr } = await sandbox.run(scriptCommand(VERSIONS_SCRIPT, ...parameters));
      if (code === 0) return versionAnswer.parse(JSON.parse(stdout));
      if (isMissing(stderr, VERSIONS_SCRIPT)) return { age: "unknown" };
      throw new Error(`The image failed to report its gateway's version: ${lastLine(stderr)}`);
    },
    async createArchive(name, state) {
      const parameters = state === undefined ? [name] : [name, state];
      const { code, stdout, stderr } = await sandbox.run(scriptCommand("backup.mjs", ...parameters));
      if (code !== 0) throw new Error(`Failed to archive the state: ${lastLine(stderr)}`);
      return archiveInfo.parse(JSON.parse(stdout));
    },
    async runFiles(parameters) {
      if ((await sandbox.observe()) === undefined) return "asleep";
      const { code, stdout, stderr } = await sandbox.run(scriptCommand(FILES_SCRIPT, ...parameters));
      return isMissing(stderr, FILES_SCRIPT) ? "absent" : { code, stdout };
    },
    async writeFile(path, hash, content) {
      const { readable, writable } = new FixedLengthStream(content.byteLength);
      const writer = writable.getWriter();
      const sent = writer.write(content).then(() => writer.close());
      const code = await sandbox.write(scriptCommand(FILES_SCRIPT, "write", path, hash), readable);
      if (code === 0) await sent;
      else await writer.abort().catch(() => {});
      sent.catch(() => {});
      return code;
    },
    readArchive: (name) => sandbox.read(readArchiveCommand(name)),
    async removeArchive(name) {
      await sandbox.run(removeArchiveCommand(name));
    },
    async restoreArchive(name, archive, body) {
      await sandbox.wake();
      const room = await sandbox.run(scriptCommand("restore.mjs", "--make-room", String(bytesToRestore(archive))));
      // An earlier image fails with another code, since it lacks this option.
      if (RESTORE_OUTCOMES[room.code] === "full") {
        await body.cancel();
        return { outcome: "full", reason: lastLine(room.stderr) };
      }
      let written: number | undefined;
      try {
        written = await sandbox.write(writeArchiveCommand(name), body);
      } finally {
        // A partial archive would take the space of the next one.
        if (written !== 0) await sandbox.run(removeArchiveCommand(name)).catch(() => {});
      }
      if (written === RESTORE_FULL)
        return { outcome: "full", reason: "the disk was full before the archive was complete" };
      if (written !== 0) throw new Error("The container failed to write the archive.");
      const { code, stderr } = await sandbox.run(scriptCommand("restore.mjs", name, archive.sha256));
      const outcome = RESTORE_OUTCOMES[code];
      if (outcome === undefined) throw new Error(`Failed to restore the backup: ${lastLine(stderr)}`);
      return { outcome, ...(stderr.trim() === "" ? {} : { reason: lastLine(stderr) }) };
    },
  };
}
