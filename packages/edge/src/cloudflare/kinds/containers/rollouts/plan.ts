/** New rollouts, and the actions of operators on them. */
import * as z from "zod";
import { uuid } from "#account/identifiers.ts";
import type { ContainerApplicationRecord } from "../record.ts";
import { beginNext } from "./advance.ts";
import { isOpen, type RolloutRecord, rolloutsOf, type Step } from "./record.ts";

/** `new_instances` grows by these percentages. Not documented: "fixed percentage targets". */
const RAMP = [10, 25, 50, 100];

const stepRequest = z.looseObject({
  description: z.string(),
  step_size: z.looseObject({ percentage: z.number().min(10).max(100) }),
});
/** `target_configuration` is the caller's. */
export const rolloutRequest = z.looseObject({
  description: z.string(),
  strategy: z.enum(["rolling", "new_instances"]),
  kind: z.enum(["full_auto", "full_manual"]).default("full_auto"),
  percentage: z.number().min(0).max(100).exactOptional(),
  step_percentage: z.literal([5, 10, 20, 25, 50, 100]).exactOptional(),
  steps: z.array(stepRequest).min(1).exactOptional(),
});
export const rolloutAction = z.looseObject({ action: z.enum(["next", "previous", "revert"]) });
type Action = z.infer<typeof rolloutAction>["action"];
type RolloutRequest = z.infer<typeof rolloutRequest>;

/** Returns what is wrong with a request, if anything is. */
export function requestFault({
  strategy,
  kind,
  percentage,
  step_percentage,
  steps,
}: RolloutRequest): string | undefined {
  if (strategy === "new_instances") {
    if (step_percentage !== undefined || steps !== undefined)
      return "step_percentage and steps are only valid for the strategy rolling";
    return kind === "full_manual" && percentage === undefined ? "percentage is required" : undefined;
  }
  if ((step_percentage === undefined) === (steps === undefined)) return "specify one of step_percentage and steps";
  const sizes = steps?.map(({ step_size }) => step_size.percentage) ?? [100];
  // wrangler refuses other steps; what the API does is not documented.
  const isRising = sizes.every((size, index) => size > (sizes[index - 1] ?? 0));
  return isRising && sizes.at(-1) === 100 ? undefined : "the percentages of steps must rise to 100";
}

function stepsOf({ strategy, kind, percentage, step_percentage = 100, steps }: RolloutRequest): Step[] {
  const described = (size: number, index: number, description = `Step ${index + 1}`): Step => ({
    ...{ id: index + 1, description, percentage: size, status: "pending" },
  });
  if (steps !== undefined)
    return steps.map(({ description, step_size }, index) => described(step_size.percentage, index, description));
  if (strategy === "rolling")
    return Array.from({ length: 100 / step_percentage }, (_, index) => described((index + 1) * step_percentage, index));
  const first = percentage ?? 10;
  const sizes = kind === "full_manual" ? [first] : [first, ...RAMP.filter((size) => size > first)];
  return sizes.map((size, index) => described(size, index));
}

/** Returns the application with a new rollout, which replaces an open one. */
export function withRollout(
  application: ContainerApplicationRecord,
  request: RolloutRequest,
  target_configuration: RolloutRecord["target_configuration"],
  now: number,
): { application: ContainerApplicationRecord; rollout: RolloutRecord } {
  const time = new Date(now).toISOString();
  const earlier = rolloutsOf(application);
  const current_version = Number(application.version);
  const { description, strategy, kind } = request;
  const isManualShare = strategy === "new_instances" && kind === "full_manual";
  const rollout: RolloutRecord = {
    ...{ id: uuid(), description, strategy, kind, status: "pending", current_version },
    target_version: Math.max(current_version, ...earlier.map(({ target_version }) => target_version)) + 1,
    ...{ current_configuration: application.configuration, target_configuration },
    ...{ created_at: time, last_updated_at: time, steps: stepsOf(request), current_step: 0, percentage: 0 },
    ...{ since: now, prepared: true, total: 0, updated: 0, chosen: [], terminated: {} },
  };
  const begun = isManualShare ? beginNext(rollout, now, 0) : rollout;
  const replaced = earlier.map((one) =>
    isOpen(one) ? { ...one, status: "replaced" as const, last_updated_at: time } : one,
  );
  return { application: { ...application, updated_at: time, rollouts: [...replaced, begun] }, rollout: begun };
}

/**
 * - `next`: one step forward, once the current one has finished.
 * - `previous`: one step back.
 * - `revert`: back to the version before the rollout.
 *
 * @returns the changed rollout, or why it is unchanged
 */
export function act(rollout: RolloutRecord, action: Action, now: number, running: number): RolloutRecord | string {
  if (!isOpen(rollout)) return `The rollout is ${rollout.status}.`;
  const current = rollout.steps[rollout.current_step - 1];
  if (action === "next") {
    const isFinished = current === undefined || current.status === "completed";
    if (!isFinished || rollout.back_to !== undefined) return "The current step is not finished.";
    if (rollout.current_step === rollout.steps.length) return "There is no further step.";
    return beginNext(rollout, now, running);
  }
  if (current === undefined && action === "previous") return "There is no previous step.";
  const back_to = action === "revert" ? 0 : rollout.current_step - 1;
  const percentage = rollout.steps[back_to - 1]?.percentage ?? 0;
  const steps = rollout.steps.map((step) =>
    step.id > back_to && step.status !== "pending" ? { ...step, status: "reverting" as const } : step,
  );
  return { ...rollout, steps, back_to, percentage, terminated: {}, last_updated_at: new Date(now).toISOString() };
}
