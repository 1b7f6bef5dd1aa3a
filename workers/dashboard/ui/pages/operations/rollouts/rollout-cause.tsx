import type { Rollout } from "#workers/contracts/api/tenants/rollouts.ts";

export function RolloutCause({ rollout: { cause, status } }: { rollout: Rollout }) {
  if (cause === null) return null;
  return (
    <section aria-label="Cause of the rollback" className="rounded-lg bg-bad-soft px-4 py-3 text-bad">
      <p className="break-words">{cause}</p>
      <p className="mt-1">
        {status === "rolling_back"
          ? "The current wave is being rolled back. Completed waves keep the version."
          : "The wave was rolled back. Check the tenant and fix the version, then start another rollout."}
      </p>
    </section>
  );
}
