/**
 * What the sandbox supervisor of the local edge and the tenant Worker say to each other, over HTTP.
 *
 * - `GET /processes`                → {@link processList}
 * - `PUT /processes/gateway-start`  {@link startRequest} → {@link startAnswer}: 201 when it was started now, 200 when a
 *   startup script or gateway was there already
 * - `DELETE /processes?idleMs=600000` → {@link killAnswer}, once every process is gone; no traffic passes meanwhile. With
 *   `idleMs` only when there was no traffic for that long
 * - `DELETE /`                      → {@link killAnswer}: puts the sandbox to sleep; its disk is gone then, as a container's is
 * - `PUT /traffic` {@link trafficAnswer} → the same: whether traffic passes
 * - `GET /log?lines=100`            → {@link logTail}
 * - `GET /state`                    → {@link stateInfo}
 * - `POST /archives/{name}?state=ID` → {@link archiveInfo}: an archive of the state, made by the image's `backup.mjs`
 * - `GET`, `PUT`, `DELETE /archives/{name}`: an archive's bytes, with their Content-Length
 * - `POST /restores` {@link restoreRequest} → {@link restoreAnswer}, by the image's `restore.mjs`; the archive is gone then
 * - any request that carries {@link SANDBOX_PORT_HEADER} is passed, upgrades included, to that port of the sandbox; it is
 *   traffic unless it carries {@link SANDBOX_PROBE_HEADER} too
 *
 * Errors are of the one family of `errors.ts`.
 */
import { z } from "zod";

/** Names the port inside the sandbox that a request is for; removed before the request is passed on. */
export const SANDBOX_PORT_HEADER = "x-sandbox-port";
/** On a request to a port: a look that is no traffic of the tenant's; removed before the request is passed on. */
export const SANDBOX_PROBE_HEADER = "x-sandbox-probe";
/** On a response made by the supervisor and not by the port: `closed` when nothing listens there. */
export const SANDBOX_ERROR_HEADER = "x-sandbox-error";
/** Variable of the gateway: where it exports metrics to. OpenTelemetry's own name. */
export const METRICS_ENDPOINT_VARIABLE = "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT";
/** A host that means the tenant Worker to programs in the sandbox, for metrics alone. The local edge puts an address of its own there. */
export const METRICS_HOST = "metrics.internal";
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

/**
 * The tenant's traffic since the sandbox woke: requests and their answers while they are under way, and what a client sends on
 * a WebSocket. A WebSocket that is open and silent is none, nor is a probe.
 */
export const sandboxActivity = z.object({
  /** Names this waking; another one's counters begin at 0. */
  wake: z.string(),
  /** Milliseconds since it woke. */
  uptimeMs: z.number().nonnegative(),
  /** Milliseconds since the last traffic, or since it woke; 0 while some is under way. */
  idleMs: z.number().nonnegative(),
  /** Milliseconds during which there was traffic. */
  activeMs: z.number().nonnegative(),
  /** WebSockets opened. */
  webSocketSessions: z.number().int().nonnegative(),
});
export type SandboxActivity = z.infer<typeof sandboxActivity>;

export const processList = z.object({
  processes: z.array(sandboxProcess),
  failure: startFailure.optional(),
  /** Absent while the sandbox sleeps. */
  activity: sandboxActivity.optional(),
});
export type ProcessList = z.infer<typeof processList>;

/** Environment variables of the startup script and the gateway. */
export const startRequest = z.object({ env: z.record(z.string().regex(/^[A-Z_][A-Z0-9_]*$/), z.string()) });

export const startAnswer = z.object({ started: z.boolean(), process: sandboxProcess });
export type StartAnswer = z.infer<typeof startAnswer>;

export const killAnswer = z.object({
  killed: z.number().int().nonnegative(),
  /** Nothing was ended, as there was traffic. */
  busy: z.boolean().optional(),
});

export const trafficAnswer = z.object({ passes: z.boolean() });

export const logTail = z.object({ lines: z.array(z.string()) });

/** The state directory, as it lies there now. */
export const stateInfo = z.object({
  empty: z.boolean(),
  /** Which state it is; absent when it is empty or was begun after a failed restore. */
  id: z.string().optional(),
});
export type StateInfo = z.infer<typeof stateInfo>;

/** Names an archive within a sandbox. */
export const archiveName = z.string().regex(/^[A-Za-z0-9-]{1,100}$/);

/** What `backup.mjs` prints. */
export const archiveInfo = z.object({
  /** Which state it is of. */
  state: z.string(),
  /** In bytes. */
  size: z.number().int().nonnegative(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  /** Files in it. */
  files: z.number().int().nonnegative(),
  /** Bytes that it takes on a disk when it is unpacked, about; absent of archives made before this was told. */
  unpackedSize: z.number().int().nonnegative().optional(),
  /** What no archive can hold; absent when there is none. `first` names up to twenty, as far as their names are text. */
  leftOut: z
    .object({
      count: z.number().int().positive(),
      first: z.array(z.object({ path: z.string(), kind: z.enum(["socket", "fifo", "device"]) })),
    })
    .optional(),
});
export type ArchiveInfo = z.infer<typeof archiveInfo>;

/** Bytes of disk that an archive's restore takes, the archive's own among them; at least so many when it tells no unpacked size. */
export const bytesToRestore = ({ size, unpackedSize }: ArchiveInfo): number => size + (unpackedSize ?? size);

export const restoreRequest = z.object({
  name: archiveName,
  sha256: archiveInfo.shape.sha256,
  /** As {@link bytesToRestore} tells. */
  bytes: z.number().int().nonnegative(),
});

/**
 * `damaged`: the archive is malformed, though its bytes are those of its manifest. `altered`: they are not. `occupied`: there is a state
 * already, or a gateway. `full`: the disk has no room for it.
 */
export const restoreAnswer = z.object({
  outcome: z.enum(["restored", "damaged", "altered", "occupied", "full"]),
  reason: z.string().optional(),
});
export type RestoreAnswer = z.infer<typeof restoreAnswer>;

/** Exit codes of `restore.mjs` that are an answer. */
export const RESTORE_OUTCOMES: Readonly<Record<number, RestoreAnswer["outcome"]>> = {
  0: "restored",
  65: "damaged",
  73: "occupied",
  74: "full",
  76: "altered",
};

/** The marker of a state directory, whose text is JSON of `{ id }`. */
export const STATE_MARKER_FILE = ".tenantry-state.json";
export const stateMarker = z.object({ id: z.string() });
