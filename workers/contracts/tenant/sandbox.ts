/** Protocol between the tenant Worker, its container and the scripts in it. */
import * as z from "zod";

/** Port inside the sandbox for a request; removed before the request is forwarded. */
export const SANDBOX_PORT_HEADER = "x-sandbox-port";
/**
 * On a response of the sandbox itself: `closed` if no process listens on the port, `cut` if the request was admitted before the last cut, whose time
 * `X-Platform-Cut-At` has.
 */
export const SANDBOX_ERROR_HEADER = "x-sandbox-error";
/** OpenTelemetry's variable for the gateway's metrics exporter. */
export const METRICS_ENDPOINT_VARIABLE = "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT";
/** Host of the tenant Worker inside the sandbox, only for metrics. */
export const METRICS_HOST = "metrics.internal";
/** Variable of the gateway: base URL of its AI gateway, `{base}/v1/{account}/{gateway}/{provider}/…`. */
export const AI_GATEWAY_URL_VARIABLE = "AI_GATEWAY_URL";
/** Host of the tenant Worker inside the sandbox, only for requests to models. */
export const AI_GATEWAY_HOST = "ai-gateway.internal";
/** Placeholder for a provider's key in the sandbox, because clients require one. */
export const NO_PROVIDER_KEY = "set-by-the-platform";
/** Variable of a process, `gateway:{pid}` or `script:{pid}`; a child process inherits it with its parent's pid. */
export const PROCESS_MARKER = "TENANTRY_PROCESS";

/** Variable of every process in a container of the local edge. */
export const SANDBOX_MARKER = "TENANTRY_SANDBOX";
/** Set in a container of the local edge that shares the machine's process list. */
export const SHARED_PROCESSES = "TENANTRY_SHARED_PROCESSES";

export const sandboxProcess = z.object({
  /** Process ID as text. */
  id: z.string(),
  type: z.enum(["gateway", "script"]),
  /** `suspended`: stopped by a signal. */
  status: z.enum(["running", "suspended"]),
});
export type SandboxProcess = z.infer<typeof sandboxProcess>;

/** Failure of the last start; cleared by the next one. */
export const startFailure = z.object({
  /** ISO 8601 UTC. */
  at: z.string(),
  /** Exit code of the startup script; null after a signal. */
  exitCode: z.number().int().nullable(),
  /** One sentence, without output of the gateway. */
  message: z.string(),
});

/** Traffic since the sandbox woke: requests in progress and WebSocket messages of clients, without idle WebSockets and probes. */
export const sandboxActivity = z.object({
  /** ID of this wake-up; each has its own counters. */
  wake: z.string(),
  uptimeMs: z.number().nonnegative(),
  /** Milliseconds since the last traffic or the wake-up; 0 during traffic. */
  idleMs: z.number().nonnegative(),
  /** Milliseconds with traffic. */
  activeMs: z.number().nonnegative(),
  webSocketSessions: z.number().int().nonnegative(),
});
export type SandboxActivity = z.infer<typeof sandboxActivity>;

export const resourceUse = z.object({ usedBytes: z.number().nonnegative(), totalBytes: z.number().nonnegative() });
export type ResourceUse = z.infer<typeof resourceUse>;

/** Unknown resources are absent. */
export const sandboxResources = z.object({
  /** The tenant's part of the state directory's file system. */
  disk: resourceUse.optional(),
  /** Without the kernel's file cache. */
  memory: resourceUse.optional(),
});
export type SandboxResources = z.infer<typeof sandboxResources>;

export const processList = z.object({
  processes: z.array(sandboxProcess),
  failure: startFailure.optional(),
  /** Whether the platform is stopping the container. */
  ending: z.boolean().optional(),
  /** Absent while the sandbox sleeps. */
  resources: sandboxResources.optional(),
  /** Absent while the sandbox sleeps. */
  activity: sandboxActivity.optional(),
});
export type ProcessList = z.infer<typeof processList>;

export const startAnswer = z.object({ started: z.boolean(), process: sandboxProcess });
export type StartAnswer = z.infer<typeof startAnswer>;

/** The state directory. */
export const stateInfo = z.object({
  empty: z.boolean(),
  /** Absent if it is empty or was created after a failed restore. */
  id: z.string().optional(),
});
export type StateInfo = z.infer<typeof stateInfo>;

const MAX_REASON = 200;

const MAX_CONNECTIONS = 50;
const shortened = (length: number) => z.string().transform((text) => text.slice(0, length));

/** `configuration_rejected`: the gateway rejects its settings. `not_in_image`: the image does not support it. */
export const leftOutCauses = ["configuration_rejected", "not_in_image"] as const;
export type LeftOutCause = (typeof leftOutCauses)[number];

/** A connection of the gateway to a messenger. */
export const channelConnection = z.object({
  /** As the gateway names it, such as `irc`. */
  messenger: shortened(40),
  /** The gateway's name of the bot. */
  account: shortened(80),
  /** `connecting`: it retries. `failed`: it has given up, or cannot connect with these settings. */
  condition: z.enum(["online", "connecting", "failed"]),
  error: shortened(MAX_REASON).optional(),
  /** Why the gateway was started without this channel of the platform. Another value must not make the connection unreadable. */
  cause: z.enum(leftOutCauses).optional().catch(undefined),
});
export type ChannelConnection = z.infer<typeof channelConnection>;

/** Response of a gateway's `/workz` and output of `work.mjs`: work that sleep would interrupt. */
export const gatewayWork = z.object({
  /** Whether background work is running: an agent's turn, a job, a child process. */
  busy: z.boolean(),
  /** A sentence for the administrators' log. */
  reason: z
    .string()
    .transform((reason) => reason.slice(0, MAX_REASON))
    .optional(),
  /** When the next scheduled job is due: ISO 8601. */
  nextJobAt: z.iso.datetime({ offset: true }).optional(),
  /** Open connections to messaging channels: Telegram, a Slack socket. Default: 0. */
  channels: z.number().int().nonnegative().optional(),
  /** Those connections and failed ones. Absent from a gateway that does not report them. A malformed value must not make the others unreadable. */
  connections: z.array(channelConnection).max(MAX_CONNECTIONS).optional().catch(undefined),
});
export type GatewayWork = z.infer<typeof gatewayWork>;

/** Safe in commands and headers. */
const versionLabel = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9@._+/-]{0,79}$/);

/** Such as `openclaw` `2026.9.6`. */
export const gatewayVersion = z.object({ name: versionLabel, version: versionLabel });
export type GatewayVersion = z.infer<typeof gatewayVersion>;

/** Output of `versions.mjs`. */
export const versionAnswer = z.object({
  /** The image's gateway; absent if unknown. */
  image: gatewayVersion.optional(),
  /** The gateway that wrote the state; absent if unknown. */
  state: gatewayVersion.optional(),
  /** Age of the state relative to the image; `unknown` if one version is unknown or the gateways differ. */
  age: z.enum(["older", "same", "newer", "unknown"]),
  /** Size of the tenant's part of the disk. */
  diskBytes: z.number().nonnegative().optional(),
});
export type VersionAnswer = z.infer<typeof versionAnswer>;

/** Variable of the startup script: ID of a complete backup of the current state. Without it no older state is upgraded. */
export const STATE_BACKUP_VARIABLE = "STATE_BACKUP";

/** Output of `backup.mjs`. */
export const archiveInfo = z.object({
  /** ID of the state. */
  state: z.string(),
  /** The gateway that wrote the state; absent if unknown. */
  gateway: gatewayVersion.optional(),
  /** Bytes. */
  size: z.number().int().nonnegative(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  /** Number of files. */
  files: z.number().int().nonnegative(),
  /** Approximate bytes on disk after extraction; absent in older archives. */
  unpackedSize: z.number().int().nonnegative().optional(),
  /** Files that an archive cannot hold. `first` has up to twenty with names that are text. */
  leftOut: z
    .object({
      count: z.number().int().positive(),
      first: z.array(z.object({ path: z.string(), kind: z.enum(["socket", "fifo", "device"]) })),
    })
    .optional(),
});
export type ArchiveInfo = z.infer<typeof archiveInfo>;

/** Bytes of disk for a restore, including the archive; a lower bound without an unpacked size. */
export const bytesToRestore = ({ size, unpackedSize }: ArchiveInfo): number => size + (unpackedSize ?? size);

/**
 * `damaged`: the archive is malformed but matches its manifest. `altered`: it does not match. `occupied`: a state or gateway exists. `full`:
 * the disk is too small.
 */
export const restoreAnswer = z.object({
  outcome: z.enum(["restored", "damaged", "altered", "occupied", "full"]),
  reason: z.string().optional(),
});
export type RestoreAnswer = z.infer<typeof restoreAnswer>;

/** Exit code of `restore.mjs` for a full disk. */
export const RESTORE_FULL = 74;
/** Outcomes of `restore.mjs` by exit code. */
export const RESTORE_OUTCOMES: Readonly<Record<number, RestoreAnswer["outcome"]>> = {
  0: "restored",
  65: "damaged",
  73: "occupied",
  [RESTORE_FULL]: "full",
  76: "altered",
};

/** Marker file in a state directory, with the JSON of {@link stateMarker}. */
export const STATE_MARKER_FILE = ".tenantry-state.json";
export const stateMarker = z.object({ id: z.string() });
