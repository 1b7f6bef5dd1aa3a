/** Rollouts and the health of applications as the API shows them. */
import type { Instance } from "#containers/deployments.ts";
import { type RolloutRecord, rolloutRecord } from "./record.ts";

const shared = rolloutRecord.pick({
  ...{ id: true, description: true, strategy: true, kind: true, status: true },
  ...{ current_version: true, target_version: true, current_configuration: true, target_configuration: true },
  ...{ created_at: true, last_updated_at: true, started_at: true },
});

/**
 * Returns the health of an application.
 *
 * @param missing an image that cannot be pulled: the reference, and the id and time of what needs it
 */
export function healthOf(instances: readonly Instance[], missing?: { id: string; image: string; time: string }) {
  const errors = missing === undefined ? [] : [pullError(missing)];
  return { instances: { active: instances.length, assigned: 0 }, errors };
}

function pullError({ id, image, time }: { id: string; image: string; time: string }) {
  // The text is not documented; the reason is the distribution specification's.
  const message = `Failed to pull the image ${image}: manifest unknown.`;
  const event = { id, time, type: "UserError", name: "ImagePullError", message, details: {}, statusChange: {} };
  return { instance_id: id, event };
}

/** Returns a rollout with the fields of its strategy. */
export function rolloutResponse(rollout: RolloutRecord, health: ReturnType<typeof healthOf>) {
  const { strategy, steps, current_step, percentage, total, updated } = rollout;
  const shown = shared.parse(rollout);
  if (strategy === "new_instances") {
    const summary = health.errors.length > 0 ? "unhealthy" : updated === 0 ? "pending" : "healthy";
    const version_distribution = {
      current_version_percentage: 100 - percentage,
      target_version_percentage: percentage,
    };
    return { ...shown, percentage, version_distribution, health: { ...health, summary } };
  }
  const target_version_instances = Math.ceil((total * percentage) / 100);
  const version_distribution = {
    ...{ current_version_instances: total - target_version_instances, target_version_instances },
    target_version_percentage: percentage,
  };
  const progress = { total_steps: steps.length, current_step, updated_instances: updated, total_instances: total };
  return {
    ...shown,
    steps: steps.map(({ percentage: size, ...step }) => ({ ...step, step_size: { percentage: size } })),
    progress: { ...progress, version_distribution },
    health,
  };
}
