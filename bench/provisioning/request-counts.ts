import type { Run } from "../suite.ts";
import type { Calls } from "./calls.ts";
import { type Fleet, stackOf } from "./fleet.ts";
import { ACME } from "./previews.ts";

export async function requestCounts(fleet: Fleet, { report }: Run): Promise<void> {
  const { calls } = fleet;
  const up = (plan: "basic" | "pro") => calls.during(() => fleet.up({ slug: "counted", plan }));
  report.figures("Requests to the Cloudflare API and statements on the database", [
    ["preview of a changed tenant", describeCalls(await calls.during(() => fleet.preview([stackOf(ACME)], 1)))],
    ["a new tenant", describeCalls(await up("basic"))],
    ["another plan", describeCalls(await up("pro"))],
    ["no changes", describeCalls(await up("pro"))],
  ]);
}

function describeCalls({ api, statements }: Calls): string {
  const methods = Object.entries(api).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const all = methods.reduce((sum, [, count]) => sum + count, 0);
  const by = methods.map(([method, count]) => `${count} ${method}`).join(", ");
  return `${all} API calls${by && ` (${by})`}, ${statements} statements`;
}
