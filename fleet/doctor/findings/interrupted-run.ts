/** Stacks with pending operations or a lock of a run that was killed. */
import { stackName } from "#domain/tenants/owner.ts";
import type { Conclusion, Evidence, Finding } from "../evidence.ts";

const MAX_NAMED = 3;

export function interruptedRuns({ own, locked, rows }: Evidence): Conclusion[] {
  // The automation service recovers the stacks of its own jobs.
  const recovering = new Set(
    "fault" in rows ? [] : rows.found.jobs.filter(({ late }) => !late).map(({ slug }) => slug),
  );
  const findings = own.flatMap(({ stack, pending, tenants }): Finding[] => {
    const isDead = locked.dead.has(stack);
    if ((pending.length === 0 && !isDead) || locked.living.has(stack)) return [];
    if (tenants.some((slug) => recovering.has(slug))) return [];
    const more = pending.length > MAX_NAMED ? `, and ${pending.length - MAX_NAMED} more` : "";
    const reasons = [
      ...(pending.length === 0 ? [] : [`a run was interrupted while ${pending.slice(0, MAX_NAMED).join(", ")}${more}`]),
      ...(isDead ? ["the run that locked it is dead"] : []),
    ];
    const remedy = `if no run uses it, run npm run fleet -- recover ${stackName(stack)}`;
    const why = reasons.join("; ");
    return [{ what: "stack", name: stack, identity: stack, why, remedy }];
  });
  return [{ about: "interrupted_run", findings }];
}
