/** Stacks that a killed run left: what it had begun, and its lock. */
import { stackName } from "#domain/tenants/owner.ts";
import type { Conclusion, Evidence, Finding } from "../evidence.ts";

const MOST_NAMED = 3;

export function interruptedRuns({ own, locked, rows }: Evidence): Conclusion[] {
  // The service takes up by itself what it has a job for.
  const atWork = new Set("fault" in rows ? [] : rows.found.jobs.filter(({ late }) => !late).map(({ slug }) => slug));
  const findings = own.flatMap(({ stack, pending, tenants }): Finding[] => {
    const isDead = locked.dead.has(stack);
    if ((pending.length === 0 && !isDead) || locked.living.has(stack)) return [];
    if (tenants.some((slug) => atWork.has(slug))) return [];
    const more = pending.length > MOST_NAMED ? `, and ${pending.length - MOST_NAMED} more` : "";
    const why = [
      ...(pending.length === 0
        ? []
        : [`a run ended in the middle of ${pending.slice(0, MOST_NAMED).join(", ")}${more}`]),
      ...(!isDead ? [] : ["the run that has locked it is dead"]),
    ].join("; ");
    return [
      {
        what: "stack",
        name: stack,
        identity: stack,
        tenant: null,
        createdAt: null,
        why,
        remedy: `unless a run has it now: npm run fleet -- recover ${stackName(stack)}`,
      },
    ];
  });
  return [{ about: "interrupted_run", findings }];
}
