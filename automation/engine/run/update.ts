import { isDeepStrictEqual } from "node:util";
import type { EngineEvent, OpMap, Stack } from "@pulumi/pulumi/automation/index.js";
import { replanOnLostSlot } from "./fault.ts";
import { isUnchanging, type Step, stepListener } from "./steps.ts";

export interface UpdateOptions {
  /** Called before the first change with the number of resources that change; not called if nothing changes. */
  onPlan?: (total: number) => void;
  onStep?: (step: Step) => void;
  /** Ends the run after the current operations, which are saved. */
  signal?: AbortSignal;
}

/** Deploys a stack if a preview shows changes. @throws CommandError of the engine, or the signal's reason */
export async function updateStack(stack: Stack, options: UpdateOptions = {}): Promise<void> {
  await replanOnLostSlot(() => runOnce(stack, options));
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
  const total = countChanges(changeSummary);
  if (total === 0 && !outputsChange) return;
  signal?.throwIfAborted();
  onPlan?.(total);
  await stack.up({
    ...abort,
    suppressOutputs: true,
    onEvent: stepListener(total, (one) => onStep?.(one)),
  });
}

/** Whether the stack's outputs change, which is not a change of a resource. */
function changesOutputs({ resOutputsEvent }: EngineEvent): boolean {
  const metadata = resOutputsEvent?.metadata;
  if (metadata?.type !== "pulumi:pulumi:Stack") return false;
  return !isDeepStrictEqual(metadata.old?.outputs, metadata.new?.outputs);
}

function countChanges(summary: OpMap): number {
  return Object.entries(summary).reduce((sum, [operation, count]) => sum + (isUnchanging(operation) ? 0 : count), 0);
}
