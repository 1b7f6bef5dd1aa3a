/** The answer of `GET /api/admin/gateway/status`: what administrators see of the sandbox beside the health snapshot. */
import * as z from "zod";
import { backupTrouble } from "./backup.ts";
import { gatewayVersion, resourceUse } from "./sandbox.ts";

export const SCARCE_RESOURCES = ["disk", "memory"] as const;
export const scarceResource = z.enum(SCARCE_RESOURCES);
export type ScarceResource = z.infer<typeof scarceResource>;

/** A newer gateway on its way to bring an older one's state up to date, or how that failed. */
export const upgradeStatus = z.object({
  state: z.enum(["under-way", "failed"]),
  /** Which gateway wrote the state. */
  from: gatewayVersion,
  /** Which one the image has. */
  to: gatewayVersion,
  /** Id of the backup of the state before: an image with `from` and it fit together. */
  backup: z.string(),
  failure: z.object({ /** ISO 8601 UTC. */ at: z.iso.datetime(), message: z.string() }).optional(),
  /** What helps, of one that failed. */
  remedy: z.string().optional(),
  /** From when on a call tries a failed one again with the same image: ISO 8601 UTC. */
  nextAttempt: z.iso.datetime().optional(),
});
export type UpgradeStatus = z.infer<typeof upgradeStatus>;

/** What a gateway does by itself that sleep would cut off. `no answer`: it was asked, and did not tell. */
export const awakeReasons = ["busy", "channels", "job", "no answer"] as const;
export type AwakeReason = (typeof awakeReasons)[number];

/** When the sandbox sleeps and wakes, as far as that is known without asking its gateway. */
export const sleepStatus = z.object({
  /** Seconds without traffic and activating calls after which it sleeps; absent where it never does. */
  afterSeconds: z.number().positive().optional(),
  /** Seconds until it has been idle for so long; absent while it sleeps. */
  remainingSeconds: z.number().nonnegative().optional(),
  /** What keeps it awake although it is idle, as the gateway told last; absent where nothing does. */
  keptAwake: z.object({ reason: z.enum(awakeReasons), details: z.string() }).optional(),
  /** When the gateway's next scheduled job is due: ISO 8601 UTC. Absent where none is known. */
  nextJobAt: z.iso.datetime().optional(),
  /** When a sandbox that sleeps is woken for that job: ISO 8601 UTC. */
  wakesAt: z.iso.datetime().optional(),
});
export type SleepStatus = z.infer<typeof sleepStatus>;

/** SHA-256, in hex, over the modules of a Worker. */
export const bundleHash = z.string().regex(/^[0-9a-f]{64}$/);

export const sandboxStatus = z.object({
  /** When it was looked at: ISO 8601 UTC. */
  ts: z.iso.datetime(),
  /** `ending`: the platform has told its container to end. `unknown`: it could not be asked. */
  sandbox: z.enum(["awake", "asleep", "ending", "unknown"]),
  /** Which gateway, in which version, the image told at the last start; absent until one did. */
  gateway: gatewayVersion.optional(),
  /** Content hash of the bundle that the tenant's Worker runs; absent where the Worker is not told. */
  worker: bundleHash.optional(),
  /** The file system of the state directory; absent while it is not known. */
  disk: resourceUse.optional(),
  /** Absent while it is not known. */
  memory: resourceUse.optional(),
  /** Absent where the sandbox could not be asked, and of Workers that do not tell. What a gateway tells of it is no reason to read nothing else. */
  sleep: sleepStatus.optional().catch(undefined),
  /** Absent unless one is under way or failed. */
  upgrade: upgradeStatus.optional(),
  /** What keeps backups from being made or restored, if anything does; `GET /api/admin/gateway/backups` tells what helps. */
  trouble: backupTrouble.optional(),
  /** What is nearly used up, and what to do about it. */
  warnings: z.array(z.object({ resource: scarceResource, message: z.string() })),
});
export type SandboxStatus = z.infer<typeof sandboxStatus>;
