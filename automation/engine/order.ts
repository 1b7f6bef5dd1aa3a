/** Messages between the service and the process of a run. Secrets are in the process's environment only. */
import * as z from "zod";
import { resourceChange } from "./run/resource-change.ts";
import { step } from "./run/steps.ts";

const engineProcess = z.object({
  hostname: z.string(),
  pid: z.number().int(),
  /** Start time in ISO 8601, within minutes: operating systems reuse process IDs. */
  at: z.string(),
});
export type EngineProcess = z.infer<typeof engineProcess>;

export const stackOrder = z.object({
  /** `{environment}-{slug}`. */
  stack: z.string(),
  /**
   * `up`: deploys the settings, and creates a missing stack. `destroy`: removes the resources and the stack. `preview`, `preview-destroy`
   * and `drift` (changes outside Pulumi) need a copy (`scratch-backend.ts`), because a preview creates a missing stack. `recover`: removes
   * what a killed run left.
   */
  operation: z.enum(["up", "destroy", "preview", "preview-destroy", "drift", "recover"]),
  config: z.record(z.string(), z.unknown()),
  /** Encryption in the stack's file. Default: the encryption of its state. */
  encryption: z.record(z.string(), z.string()).optional(),
  /** Slug of the tenant that adopts its earlier bucket, if the stack has none. Default: none. */
  adoptBucketOf: z.string().optional(),
  /** Whether that tenant may also adopt the bucket of an earlier client with its slug. Default: false. */
  useKeptBackups: z.boolean().optional(),
  /** Directory of the stored bundle for the tenants' Workers. Default: the Worker of the checkout. */
  tenantBundle: z.string().optional(),
  /** Engines of runs that have ended, on any host: their locks are stale. Default: none. */
  deadEngines: z.array(engineProcess).optional(),
  engineVersion: z.string().optional(),
  /** Whether every lock is treated as stale. Default: false. */
  force: z.boolean().optional(),
});
export type StackOrder = z.infer<typeof stackOrder>;

/** To the run: one order, then possibly a request to end early. */
export const message = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("order"), order: stackOrder }),
  z.object({ kind: z.literal("end") }),
]);
export type Message = z.infer<typeof message>;

/** From the run. `done` or `failed` is the last. */
export const report = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("engine"), pid: z.number().int() }),
  z.object({ kind: z.literal("recovered"), what: z.string() }),
  z.object({ kind: z.literal("step"), step }),
  z.object({ kind: z.literal("change"), change: resourceChange }),
  z.object({ kind: z.literal("done") }),
  z.object({
    kind: z.literal("failed"),
    /** `locked`: another run has the stack. `ended`: by request. */
    why: z.enum(["fault", "locked", "ended"]),
    message: z.string(),
    /** Key in the catalogue of errors. Default: the message is the engine's. */
    reason: z.string().optional(),
  }),
]);
export type Report = z.infer<typeof report>;
