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

export function dependentsOf(error: Error | null): Dependents | undefined {
  if (!(error instanceof Refused) || error.code !== "conflict") return undefined;
  return dependents.safeParse(error.details).data;
}

const NAMES = {
  users: ["user, with all access", "users, with all access"],
  dashboard_users: ["partner root, who can no longer log in here", "partner roots, who can no longer log in here"],
  domains: ["host", "hosts"],
} as const;

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
