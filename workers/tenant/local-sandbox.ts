/** The sandbox port over the local edge's supervisor, reached through an injected service binding. */
import {
  archiveInfo,
  bytesToRestore,
  killAnswer,
  logTail,
  processList,
  restoreAnswer,
  SANDBOX_ERROR_HEADER,
  SANDBOX_PORT_HEADER,
  SANDBOX_PROBE_HEADER,
  startAnswer,
  stateInfo,
  trafficAnswer,
} from "../contracts/sandbox.ts";
import { PortClosed, type SandboxPort } from "./sandbox-port.ts";

async function call<T>(
  host: Fetcher,
  schema: { parse(value: unknown): T },
  method: string,
  path: string,
  options: { body?: unknown; signal?: AbortSignal } = {},
): Promise<T> {
  const response = await host.fetch(`http://sandbox${path}`, {
    method,
    ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  });
  if (!response.ok) {
    await response.body?.cancel();
    throw new Error(`the sandbox supervisor answered ${response.status}`);
  }
  return schema.parse(await response.json());
}

/** Sends or asks for an archive's bytes. */
async function passBytes(host: Fetcher, method: string, name: string, body?: ReadableStream): Promise<Response> {
  const response = await host.fetch(`http://sandbox/archives/${name}`, { method, ...(body && { body }) });
  if (response.ok) return response;
  await response.body?.cancel();
  throw new Error(`the sandbox supervisor answered ${response.status}`);
}

/** @param host the service binding of the supervisor */
export function localSandbox(host: Fetcher): SandboxPort {
  return {
    listProcesses: (signal) => call(host, processList, "GET", "/processes", { signal }),
    async probe(port, path, signal) {
      const response = await host.fetch(`http://localhost:${port}${path}`, {
        headers: { [SANDBOX_PORT_HEADER]: String(port), [SANDBOX_PROBE_HEADER]: "1" },
        redirect: "manual",
        signal,
      });
      const body = await response.text();
      if (response.headers.get(SANDBOX_ERROR_HEADER) === "closed") throw new PortClosed(port);
      return { status: response.status, body };
    },
    start: (env) => call(host, startAnswer, "PUT", "/processes/gateway-start", { body: { env } }),
    async kill(idleMs) {
      const query = idleMs === undefined ? "" : `?idleMs=${idleMs}`;
      return (await call(host, killAnswer, "DELETE", `/processes${query}`)).busy !== true;
    },
    async sleep() {
      await call(host, killAnswer, "DELETE", "/");
    },
    async fetch(request, port) {
      const headers = new Headers(request.headers);
      headers.set(SANDBOX_PORT_HEADER, String(port));
      headers.delete(SANDBOX_PROBE_HEADER);
      const response = await host.fetch(new Request(request, { headers, redirect: "manual" }));
      if (response.headers.get(SANDBOX_ERROR_HEADER) !== "closed") return response;
      await response.body?.cancel();
      throw new PortClosed(port);
    },
    async setTraffic(passes, signal) {
      await call(host, trafficAnswer, "PUT", "/traffic", { body: { passes }, signal });
    },
    async readLog(lines) {
      return (await call(host, logTail, "GET", `/log?lines=${lines}`)).lines;
    },
    inspectState: (signal) => call(host, stateInfo, "GET", "/state", { signal }),
    createArchive: (name, state) =>
      call(host, archiveInfo, "POST", `/archives/${name}${state === undefined ? "" : `?state=${state}`}`),
    async readArchive(name) {
      const { body } = await passBytes(host, "GET", name);
      if (body === null) throw new Error("the archive is empty");
      return body;
    },
    async removeArchive(name) {
      await passBytes(host, "DELETE", name);
    },
    async restoreArchive(name, archive, body) {
      const { size, sha256 } = archive;
      const fixed = new FixedLengthStream(size);
      await Promise.all([passBytes(host, "PUT", name, fixed.readable), body.pipeTo(fixed.writable)]);
      return call(host, restoreAnswer, "POST", "/restores", { body: { name, sha256, bytes: bytesToRestore(archive) } });
    },
  };
}
