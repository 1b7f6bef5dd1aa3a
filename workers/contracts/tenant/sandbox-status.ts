/** Response of `GET /api/admin/gateway/status`, for administrators. */
import * as z from "zod";
import { backupTrouble } from "./backup.ts";
import { inboxStatus } from "./inbox.ts";
import { channelConnection, gatewayVersion, resourceUse } from "./sandbox.ts";

export const SCARCE_RESOURCES = ["disk", "memory"] as const;
export const scarceResource = z.enum(SCARCE_RESOURCES);
export type ScarceResource = z.infer<typeof scarceResource>;

/** Upgrade of an older gateway's state, running or failed. */
export const upgradeStatus = z.object({
  state: z.enum(["under-way", "failed"]),
  /** The gateway that wrote the state. */
  from: gatewayVersion,
  /** The image's gateway. */
  to: gatewayVersion,
  /** ID of the backup before the upgrade, for an image with `from`. */
  backup: z.string(),
  failure: z.object({ /** ISO 8601 UTC. */ at: z.iso.datetime(), message: z.string() }).optional(),
  /** After a failure. */
  remedy: z.string().optional(),
  /** When a request retries a failed upgrade with the same image: ISO 8601 UTC. */
  nextAttempt: z.iso.datetime().optional(),
});
export type UpgradeStatus = z.infer<typeof upgradeStatus>;

/** Why an idle gateway stays awake. `messages`: the inbox has messages for it. `no answer`: it did not respond to the query. */
export const awakeReasons = ["busy", "channels", "job", "messages", "no answer"] as const;
export type AwakeReason = (typeof awakeReasons)[number];

/** `connecting`: the gateway starts, or retries. `failed`: it has given up; `error` says why. */
export const channelConditions = ["online", "connecting", "failed", "offline_while_asleep"] as const;
export type ChannelCondition = (typeof channelConditions)[number];

/** A channel whose messages arrive over a connection of the gateway, or any channel of the platform that the gateway was started without (`cause`). */
export const socketChannel = channelConnection.extend({
  condition: z.enum(channelConditions),
  /** Whether the platform connected it; else the tenant did within its gateway. */
  isOwn: z.boolean(),
});
export type SocketChannel = z.infer<typeof socketChannel>;

/** When the sandbox sleeps and wakes, as known without a query to its gateway. */
export const sleepStatus = z.object({
  /** Seconds without traffic and activating requests until sleep; absent if it never sleeps. */
  afterSeconds: z.number().positive().optional(),
  /** Seconds until sleep; absent while it sleeps. */
  remainingSeconds: z.number().nonnegative().optional(),
  /** Whether it sleeps while socket channels are connected, which are offline then. */
  withChannels: z.boolean().optional(),
  /** Why it stays awake while idle, by the gateway's last report. */
  keptAwake: z.object({ reason: z.enum(awakeReasons), details: z.string() }).optional(),
  /** When the gateway's next scheduled job is due: ISO 8601 UTC. */
  nextJobAt: z.iso.datetime().optional(),
  /** When a sleeping sandbox wakes for that job: ISO 8601 UTC. */
  wakesAt: z.iso.datetime().optional(),
});
export type SleepStatus = z.infer<typeof sleepStatus>;

/** SHA-256 of a Worker's modules, in hex. */
export const bundleHash = z.string().regex(/^[0-9a-f]{64}$/);

export const sandboxStatus = z.object({
  /** Time of the probe: ISO 8601 UTC. */
  ts: z.iso.datetime(),
  /** `ending`: the platform is stopping its container. `unknown`: the probe failed. */
  sandbox: z.enum(["awake", "asleep", "ending", "unknown"]),
  /** Reported by the image at the last start. */
  gateway: gatewayVersion.optional(),
  /** Content hash of the Worker's bundle, if the Worker has it. */
  worker: bundleHash.optional(),
  /** File system of the state directory; absent if unknown. */
  disk: resourceUse.optional(),
  /** Absent if unknown. */
  memory: resourceUse.optional(),
  /** Absent if unknown. A malformed value must not make the other fields unreadable. */
  sleep: sleepStatus.optional().catch(undefined),
  /** Present while an upgrade runs and after it failed. */
  upgrade: upgradeStatus.optional(),
  /** Problem with backups, if any. `GET /api/admin/gateway/backups` has the remedy. */
  trouble: backupTrouble.optional(),
  /** Absent from a Worker of an earlier version. */
  inbox: inboxStatus.optional().catch(undefined),
  /** Absent from a Worker of an earlier version. */
  socketChannels: z.array(socketChannel).optional().catch(undefined),
  /** Scarce resources, with remedies. */
  warnings: z.array(z.object({ resource: scarceResource, message: z.string() })),
});
export type SandboxStatus = z.infer<typeof sandboxStatus>;
