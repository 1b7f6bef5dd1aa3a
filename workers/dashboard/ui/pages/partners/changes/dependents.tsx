/** What hangs on a partner, as a refused deletion tells it. */
import * as z from "zod";
import { Refused } from "#workers/dashboard/ui/api/faults.ts";
import { formatNumber } from "#workers/dashboard/ui/kit/format.ts";

const dependents = z.object({
  clients: z.number(),
  users: z.number(),
  dashboard_users: z.number(),
  domains: z.number(),
});
export type Dependents = z.infer<typeof dependents>;

/** @returns undefined where a deletion was refused for something else, or not at all */
export function dependentsOf(error: Error | null): Dependents | undefined {
  if (!(error instanceof Refused) || error.code !== "conflict") return undefined;
  return dependents.safeParse(error.details).data;
}

const NAMES = {
  users: ["person, with all that they were given", "people, with all that they were given"],
  dashboard_users: ["partner root, who can log in here no more", "partner roots, who can log in here no more"],
  domains: ["host", "hosts"],
} as const;

/** What a deletion takes along. */
export function DependentList({ found }: { found: Dependents }) {
  const lines = (["users", "dashboard_users", "domains"] as const).filter((kind) => found[kind] > 0);
  return (
    <ul className="list-disc pl-5">
      {lines.map((kind) => (
        <li key={kind}>
          {formatNumber(found[kind])} {NAMES[kind][found[kind] === 1 ? 0 : 1]}
        </li>
      ))}
    </ul>
  );
}
