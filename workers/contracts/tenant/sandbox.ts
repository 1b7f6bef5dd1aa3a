/** What the tenant Worker, its container and the scripts in it say to each other. */
import * as z from "zod";

/** Names the port inside the sandbox that a request is for; removed before the request is passed on. */
export const SANDBOX_PORT_HEADER = "x-sandbox-port";
/** On a response that is not the port's own: `closed` when nothing listens there. */
export const SANDBOX_ERROR_HEADER = "x-sandbox-error";
/** Variable of the gateway: where it exports metrics to. OpenTelemetry's own name. */
export const METRICS_ENDPOINT_VARIABLE = "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT";
/** A host that means the tenant Worker to programs in the sandbox, for metrics alone. */
export const METRICS_HOST = "metrics.internal";
/** Variable of the gateway: the base under which it finds its AI gateway, `{base}/v1/{account}/{gateway}/{provider}/…`. */
export const AI_GATEWAY_URL_VARIABLE = "AI_GATEWAY_URL";
/** A host that means the tenant Worker to programs in the sandbox, for calls of models alone. */
export const AI_GATEWAY_HOST = "ai-gateway.internal";
/** What programs in the sandbox send in the place of a provider's key that they do not have: clients insist on one. */
export const NO_PROVIDER_KEY = "set-by-the-platform";
/** Marks a process in its own environment as `gateway:{pid}` or `script:{pid}`; a child inherits it with another's pid. */
export const PROCESS_MARKER = "TENANTRY_PROCESS";

/** Marks every process of a container of the local edge. */
export const SANDBOX_MARKER = "TENANTRY_SANDBOX";
/** Set in a container of the local edge that shares the machine's list of processes: the marker tells its own from others. */
export const SHARED_PROCESSES = "TENANTRY_SHARED_PROCESSES";

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

/** How much of something is used. */
export const resourceUse = z.object({ usedBytes: z.number().nonnegative(), totalBytes: z.number().nonnegative() });
export type ResourceUse = z.infer<typeof resourceUse>;

/** What the sandbox has; what cannot be told is absent. */
export const sandboxResources = z.object({
  /** The file system of the state directory, as far as the tenant may use it. */
  disk: resourceUse.optional(),
  /** Without files that the kernel caches and gives up when memory is short. */
  memory: resourceUse.optional(),
});
export type SandboxResources = z.infer<typeof sandboxResources>;

export const processList = z.object({
  processes: z.array(sandboxProcess),
  failure: startFailure.optional(),
  /** Whether the platform has told the container to end. */
  ending: z.boolean().optional(),
  /** Absent while the sandbox sleeps. */
  resources: sandboxResources.optional(),
  /** Absent while the sandbox sleeps. */
  activity: sandboxActivity.optional(),
});
export type ProcessList = z.infer<typeof processList>;

export const startAnswer = z.object({ started: z.boolean(), process: sandboxProcess });
export type StartAnswer = z.infer<typeof startAnswer>;

/** The state directory, as it lies there now. */
export const stateInfo = z.object({
  empty: z.boolean(),
  /** Which state it is; absent when it is empty or was begun after a failed restore. */
  id: z.string().optional(),
});
export type StateInfo = z.infer<typeof stateInfo>;

/** Characters that are kept of a gateway's reason. */
const MAX_REASON = 200;

/** What a gateway answers at `/workz`, and `work.mjs` prints: what its sandbox's sleep would cut off. */
export const gatewayWork = z.object({
  /** Whether something is under way that nobody's request waits for: an agent's turn, a job, a child process. */
  busy: z.boolean(),
  /** One sentence, for the administrators' log. */
  reason: z
    .string()
    .transform((reason) => reason.slice(0, MAX_REASON))
    .optional(),
  /** When the next scheduled job is due: ISO 8601. Absent when there is none. */
  nextJobAt: z.iso.datetime({ offset: true }).optional(),
  /** Connections that it holds to hear of messages: of Telegram, a Slack socket. Default: 0. */
  channels: z.number().int().nonnegative().optional(),
});
export type GatewayWork = z.infer<typeof gatewayWork>;

/** Short, and without anything that a command or a header would take amiss. */
const versionLabel = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9@._+/-]{0,79}$/);

/** A gateway in one of its versions, such as `openclaw` `2026.9.6`. */
export const gatewayVersion = z.object({ name: versionLabel, version: versionLabel });
export type GatewayVersion = z.infer<typeof gatewayVersion>;

/** What `versions.mjs` prints. */
export const versionAnswer = z.object({
  /** The gateway that the image has; absent where the image does not tell. */
  image: gatewayVersion.optional(),
  /** The gateway that wrote the state; absent where none told. */
  state: gatewayVersion.optional(),
  /** What the state is to the image; `unknown` where one of them is, or they are different gateways. */
  age: z.enum(["older", "same", "newer", "unknown"]),
  /** How large the disk is, as far as the tenant may use it. */
  diskBytes: z.number().nonnegative().optional(),
});
export type VersionAnswer = z.infer<typeof versionAnswer>;

/** Variable of the startup script: the id of a whole backup of the state as it is. Without one no older state is brought up to date. */
export const STATE_BACKUP_VARIABLE = "STATE_BACKUP";

/** What `backup.mjs` prints. */
export const archiveInfo = z.object({
  /** Which state it is of. */
  state: z.string(),
  /** Which gateway wrote the state; absent where it did not tell. */
  gateway: gatewayVersion.optional(),
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

/**
 * `damaged`: the archive is malformed, though its bytes are those of its manifest. `altered`: they are not. `occupied`: there is a state
 * already, or a gateway. `full`: the disk has no room for it.
 */
export const restoreAnswer = z.object({
  outcome: z.enum(["restored", "damaged", "altered", "occupied", "full"]),
  reason: z.string().optional(),
});
export type RestoreAnswer = z.infer<typeof restoreAnswer>;

/** Exit code of `restore.mjs` when the disk has no room. */
export const RESTORE_FULL = 74;
/** Exit codes of `restore.mjs` that are an answer. */
export const RESTORE_OUTCOMES: Readonly<Record<number, RestoreAnswer["outcome"]>> = {
  0: "restored",
  65: "damaged",
  73: "occupied",
  [RESTORE_FULL]: "full",
  76: "altered",
};

/** The marker of a state directory, whose text is JSON of `{ id }`. */
export const STATE_MARKER_FILE = ".tenantry-state.json";
export const stateMarker = z.object({ id: z.string() });
