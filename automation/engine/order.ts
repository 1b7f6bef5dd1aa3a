/** What the service and an engine's run in its own process say to each other. Secrets pass by the run's environment alone. */
import * as z from "zod";
import { resourceChange } from "./run/resource-change.ts";
import { step } from "./run/steps.ts";

/** A process of the engine that may hold a stack's lock. */
const engineProcess = z.object({
  hostname: z.string(),
  pid: z.number().int(),
  /** When it began, in ISO 8601, by any clock that is right within minutes: numbers of processes are used again. */
  at: z.string(),
});
export type EngineProcess = z.infer<typeof engineProcess>;

/** What is to become of a stack of tenants. */
export const stackOrder = z.object({
  /** `{environment}-{slug}`. */
  stack: z.string(),
  /**
   * `up`: as its settings declare; a stack that is not there is made. `destroy`: all of it goes, and the stack too. `preview`,
   * `preview-destroy`: what these would do, and `drift`: what was changed by hand; on a copy (`scratch-backend.ts`), since a preview
   * makes a stack that is not there. `recover`: frees the stack of what a killed run left.
   */
  operation: z.enum(["up", "destroy", "preview", "preview-destroy", "drift", "recover"]),
  /** Settings of its stack file (`tenants/`). */
  config: z.record(z.string(), z.unknown()),
  /** What the stack's file says of how it is encrypted, beside its settings. Default: as its state is. */
  encryption: z.record(z.string(), z.string()).optional(),
  /** Slug of the tenant that has the bucket it had before, where the stack holds none. Default: nobody does. */
  adoptBucketOf: z.string().optional(),
  /** Whether that tenant may have the bucket of an earlier client with its slug too. Default: false. */
  useKeptBackups: z.boolean().optional(),
  /** Directory of the kept bundle that the tenants' Workers run. Default: the checkout's own Worker. */
  tenantBundle: z.string().optional(),
  /** Engines of runs that are over, on any host: their locks are a killed run's. Default: none is known. */
  deadEngines: z.array(engineProcess).optional(),
  /** Version of the engine where it is known, which saves the run from asking for it. */
  engineVersion: z.string().optional(),
  /** Whether every lock counts as a killed run's. Default: false. */
  force: z.boolean().optional(),
});
export type StackOrder = z.infer<typeof stackOrder>;

/** To the run: an order once, first; later that it is to end early. */
export const message = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("order"), order: stackOrder }),
  z.object({ kind: z.literal("end") }),
]);
export type Message = z.infer<typeof message>;

/** From the run; `done` or `failed` ends it. */
export const report = z.discriminatedUnion("kind", [
  /** An engine has begun that takes the stack's lock. */
  z.object({ kind: z.literal("engine"), pid: z.number().int() }),
  z.object({ kind: z.literal("recovered"), what: z.string() }),
  z.object({ kind: z.literal("step"), step }),
  z.object({ kind: z.literal("change"), change: resourceChange }),
  z.object({ kind: z.literal("done") }),
  z.object({
    kind: z.literal("failed"),
    /** `locked`: somebody else's run has the stack. `ended`: by the order to end. */
    why: z.enum(["fault", "locked", "ended"]),
    message: z.string(),
  }),
]);
export type Report = z.infer<typeof report>;
