/** Brings a stack to what its program declares. */
import { isDeepStrictEqual } from "node:util";
import type { EngineEvent, OpMap, Stack } from "@pulumi/pulumi/automation/index.js";
import { planAnew } from "./plan-anew.ts";
import { isUnchanging, type Step, stepListener } from "./steps.ts";

export interface UpdateOptions {
  /** Hears, before anything is changed, how many resources will be; never called when nothing is to be done. */
  onPlan?: (total: number) => void;
  /** Hears of every resource that is being changed. */
  onStep?: (step: Step) => void;
  /** Ends the run gracefully: what is under way is finished and saved, nothing more is begun. */
  signal?: AbortSignal;
}

/**
 * Plans, and carries the plan out where it changes anything; a run that lost a pool gateway's slot to somebody else is planned anew.
 *
 * @throws CommandError of the engine; the signal's reason when it ended the run between two steps
 */
export async function update(stack: Stack, options: UpdateOptions = {}): Promise<void> {
  await planAnew(() => runOnce(stack, options));
}

async function runOnce(stack: Stack, { onPlan, onStep, signal }: UpdateOptions): Promise<void> {
  signal?.throwIfAborted();
  const abort = signal === undefined ? {} : { signal };
  let outputsChange = false;
  const { changeSummary } = await stack.preview({
    ...abort,
    onEvent: (event) => {
      outputsChange ||= changesOutputs(event);
    },
  });
  const total = changes(changeSummary);
  if (total === 0 && !outputsChange) return;
  signal?.throwIfAborted();
  onPlan?.(total);
  await stack.up({
    ...abort,
    suppressOutputs: true,
    onEvent: stepListener(total, (one) => onStep?.(one)),
  });
}

/** Whether the stack's own outputs change, which counts as no change of a resource. */
function changesOutputs({ resOutputsEvent }: EngineEvent): boolean {
  const metadata = resOutputsEvent?.metadata;
  if (metadata?.type !== "pulumi:pulumi:Stack") return false;
  return !isDeepStrictEqual(metadata.old?.outputs, metadata.new?.outputs);
}

function changes(summary: OpMap): number {
  return Object.entries(summary).reduce((sum, [operation, count]) => sum + (isUnchanging(operation) ? 0 : count), 0);
}
