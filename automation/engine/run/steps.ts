/** What a run of the engine does, step by step, out of the events that it tells. */
import type { EngineEvent, StepEventMetadata } from "@pulumi/pulumi/automation/index.js";
import * as z from "zod";
import { nameOf, shortType } from "./resource-names.ts";

/** One resource that is begun with, or done. */
export const step = z.object({
  phase: z.enum(["begun", "done", "failed"]),
  /** Resources that are done, of `total`. */
  done: z.number().int(),
  total: z.number().int(),
  /** Short type, such as `DnsRecord`. */
  type: z.string(),
  name: z.string(),
  /** The engine's word for it: `create`, `update`, `delete`, `create-replacement`, … */
  operation: z.string(),
  /** How long it took; 0 while it is only begun. */
  milliseconds: z.number().int(),
});
export type Step = z.infer<typeof step>;

/** Whether one of the engine's operations changes nothing. */
export const isUnchanging = (operation: string): boolean => operation === "same" || operation === "read";

/** @param total resources that are to change; where that turns out too few, the latest is told as the last */
export function stepListener(total: number, onStep: (step: Step) => void): (event: EngineEvent) => void {
  const begun = new Map<string, number>();
  let done = 0;
  const tell = (phase: Step["phase"], metadata: StepEventMetadata) => {
    if (isUnchanging(metadata.op)) return;
    const key = `${metadata.op} ${metadata.urn}`;
    const now = performance.now();
    if (phase === "begun") begun.set(key, now);
    if (phase === "done") done += 1;
    // The engine's own: the stack, and a provider's settings.
    if (metadata.type.startsWith("pulumi:")) return;
    onStep({
      phase,
      done: Math.min(done, total),
      total,
      type: shortType(metadata.type),
      name: nameOf(metadata.urn),
      operation: metadata.op,
      milliseconds: phase === "begun" ? 0 : Math.round(now - (begun.get(key) ?? now)),
    });
  };
  return ({ resourcePreEvent, resOutputsEvent, resOpFailedEvent }) => {
    if (resourcePreEvent !== undefined) tell("begun", resourcePreEvent.metadata);
    if (resOutputsEvent !== undefined) tell("done", resOutputsEvent.metadata);
    if (resOpFailedEvent !== undefined) tell("failed", resOpFailedEvent.metadata);
  };
}
