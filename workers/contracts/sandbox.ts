/**
 * What the sandbox supervisor of the local edge and the tenant Worker say to each other, over HTTP.
 *
 * - `GET /processes`                → {@link processList}
 * - `PUT /processes/gateway-start`  {@link startRequest} → {@link startAnswer}: 201 when it was started now, 200 when a
 *   startup script or gateway was there already
 * - `DELETE /processes`             → {@link killAnswer}, once every process is gone
 * - `GET /log?lines=100`            → {@link logTail}
 * - any request that carries {@link SANDBOX_PORT_HEADER} is passed, upgrades included, to that port of the sandbox
 *
 * Errors are of the one family of `errors.ts`.
 */
import { z } from "zod";

/** Names the port inside the sandbox that a request is for; removed before the request is passed on. */
export const SANDBOX_PORT_HEADER = "x-sandbox-port";
/** On a response made by the supervisor and not by the port: `closed` when nothing listens there. */
export const SANDBOX_ERROR_HEADER = "x-sandbox-error";
/** Marks a process in its own environment as `gateway:{pid}` or `script:{pid}`; a child inherits it with another's pid. */
export const PROCESS_MARKER = "TENANTRY_PROCESS";

export const sandboxProcess = z.object({
  /** The process id, as text. */
  id: z.string(),
  type: z.enum(["gateway", "script"]),
  /** `suspended` is a process stopped by a signal. */
  status: z.enum(["running", "suspended"]),
});
export type SandboxProcess = z.infer<typeof sandboxProcess>;

/** How the last start failed; gone when the next one begins. */
export const startFailure = z.object({
  /** ISO 8601 UTC. */
  at: z.string(),
  /** Exit code of the startup script; null when a signal ended it. */
  exitCode: z.number().int().nullable(),
  /** One sentence, without output of the gateway. */
  message: z.string(),
});
export type StartFailure = z.infer<typeof startFailure>;

export const processList = z.object({
  processes: z.array(sandboxProcess),
  failure: startFailure.optional(),
});
export type ProcessList = z.infer<typeof processList>;

/** Environment variables of the startup script and the gateway. */
export const startRequest = z.object({ env: z.record(z.string().regex(/^[A-Z_][A-Z0-9_]*$/), z.string()) });

export const startAnswer = z.object({ started: z.boolean(), process: sandboxProcess });
export type StartAnswer = z.infer<typeof startAnswer>;

export const killAnswer = z.object({ killed: z.number().int().nonnegative() });

export const logTail = z.object({ lines: z.array(z.string()) });
