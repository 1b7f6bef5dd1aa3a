import type { Rollout } from "#workers/contracts/api/tenants/rollouts.ts";

/** Why a roll-out goes back, or went, and what comes next. */
export function RolloutCause({ rollout: { cause, status } }: { rollout: Rollout }) {
  if (cause === null) return null;
  return (
    <section aria-label="Why it went back" className="rounded-lg bg-bad-soft px-4 py-3 text-bad">
      <p className="break-words">{cause}</p>
      <p className="mt-1">
        {status === "rolling_back"
          ? "The wave under way is being taken back; waves that have passed keep the version."
          : "Its wave was taken back. Look at that tenant, then start another roll-out, of a version that is mended."}
      </p>
    </section>
  );
}
