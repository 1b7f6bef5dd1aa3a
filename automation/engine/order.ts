/** What the service and an engine's run in its own process say to each other. Secrets pass by the run's environment alone. */
import * as z from "zod";
import { step } from "./steps.ts";

/** What is to become of a stack of tenants. */
export const stackOrder = z.object({
  /** `{environment}-{slug}`. */
  stack: z.string(),
  /** Of its one tenant. */
  slug: z.string(),
  /** `up`: as its settings declare; a stack that is not there is made. `destroy`: all of it goes, and the stack too. */
  operation: z.enum(["up", "destroy"]),
  /** Settings of its stack file (`tenants/`). */
  config: z.record(z.string(), z.unknown()),
  /** Resources that a stack has which is not there yet, for the share that is done. */
  expected: z.number().int().positive(),
  /** Hosts on which no run of this stack lives: locks from there are a killed run's. */
  deadHosts: z.array(z.string()),
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
  z.object({ kind: z.literal("recovered"), what: z.string() }),
  z.object({ kind: z.literal("step"), step }),
  z.object({ kind: z.literal("done") }),
  z.object({
    kind: z.literal("failed"),
    /** `locked`: somebody else's run has the stack. `ended`: by the order to end. */
    why: z.enum(["fault", "locked", "ended"]),
    message: z.string(),
  }),
]);
export type Report = z.infer<typeof report>;
