/** The answer of `GET /api/admin/gateway/status`: what administrators see of the sandbox beside the health snapshot. */
import { z } from "zod";
import { resourceUse } from "./sandbox.ts";

export const SCARCE_RESOURCES = ["disk", "memory"] as const;
export const scarceResource = z.enum(SCARCE_RESOURCES);
export type ScarceResource = z.infer<typeof scarceResource>;

export const sandboxStatus = z.object({
  /** When it was looked at: ISO 8601 UTC. */
  ts: z.iso.datetime(),
  /** `ending`: the platform has told its container to end. `unknown`: it could not be asked. */
  sandbox: z.enum(["awake", "asleep", "ending", "unknown"]),
  /** The file system of the state directory; absent while it is not known. */
  disk: resourceUse.optional(),
  /** Absent while it is not known. */
  memory: resourceUse.optional(),
  /** What is nearly used up, and what to do about it. */
  warnings: z.array(z.object({ resource: scarceResource, message: z.string() })),
});
export type SandboxStatus = z.infer<typeof sandboxStatus>;
