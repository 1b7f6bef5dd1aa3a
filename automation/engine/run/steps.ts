import type { EngineEvent, StepEventMetadata } from "@pulumi/pulumi/automation/index.js";
import * as z from "zod";
import { nameOf, shortType } from "./resource-names.ts";

export const step = z.object({
  phase: z.enum(["begun", "done", "failed"]),
  /** Completed resources, of `total`. */
  done: z.number().int(),
  total: z.number().int(),
  type: z.string(),
  name: z.string(),
  /** Operation of the engine: `create`, `update`, `delete`, `create-replacement`, … */
  operation: z.string(),
  /** Duration; 0 if `begun`. */
  milliseconds: z.number().int(),
});
export type Step = z.infer<typeof step>;

/** Whether an operation of the engine changes nothing. */
export const isUnchanging = (operation: string): boolean => operation === "same" || operation === "read";

/** @param total expected number of changes; `done` never exceeds it */
export function stepListener(total: number, onStep: (step: Step) => void): (event: EngineEvent) => void {
  const begun = new Map<string, number>();
  let done = 0;
  const report = (phase: Step["phase"], metadata: StepEventMetadata) => {
    if (isUnchanging(metadata.op)) return;
    const key = `${metadata.op} ${metadata.urn}`;
    const now = performance.now();
    if (phase === "begun") begun.set(key, now);
    if (phase === "done") done += 1;
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
    if (resourcePreEvent !== undefined) report("begun", resourcePreEvent.metadata);
    if (resOutputsEvent !== undefined) report("done", resOutputsEvent.metadata);
    if (resOpFailedEvent !== undefined) report("failed", resOpFailedEvent.metadata);
  };
}
