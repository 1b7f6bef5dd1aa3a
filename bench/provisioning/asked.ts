/** What one run asks of the Cloudflare API and of the database. */
import type { Run } from "../suite.ts";
import type { Calls } from "./calls.ts";
import { type Fleet, stackOf } from "./fleet.ts";
import { ACME } from "./previews.ts";

export async function asked(fleet: Fleet, { report }: Run): Promise<void> {
  const { calls } = fleet;
  const preview = await calls.during(() => fleet.preview([stackOf(ACME)], 1));
  const made = await calls.during(() => fleet.up({ slug: "counted", plan: "basic" }));
  const changed = await calls.during(() => fleet.up({ slug: "counted", plan: "pro" }));
  const same = await calls.during(() => fleet.up({ slug: "counted", plan: "pro" }));
  report.figures("Asked of the Cloudflare API and the database", [
    ["preview of a changed tenant", told(preview)],
    ["a new tenant", told(made)],
    ["another plan", told(changed)],
    ["nothing to do", told(same)],
  ]);
}

function told({ api, statements }: Calls): string {
  const methods = Object.entries(api).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const all = methods.reduce((sum, [, count]) => sum + count, 0);
  const by = methods.map(([method, count]) => `${count} ${method}`).join(", ");
  return `${all} API calls${by && ` (${by})`}, ${statements} statements`;
}
