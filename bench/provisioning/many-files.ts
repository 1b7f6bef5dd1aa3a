/** A preview of many changed files at once, and what one run asks of the API and the database. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PROJECT } from "../../automation/engine/project-name.ts";
import { printFigures } from "../report.ts";
import type { Calls } from "./calls.ts";
import { type Fleet, insertRows, stackOf } from "./fleet.ts";
import { ACME } from "./previews.ts";

const FILES = 50;

/** Previews the changed files of fifty deployed tenants, whose states are copies of that of `acme`. */
export async function manyFiles(fleet: Fleet): Promise<void> {
  await insertRows(fleet.edge, `${ACME}-`, FILES);
  const slugs = Array.from({ length: FILES }, (_, index) => `${ACME}-${index + 1}`);
  const states = join(fleet.edge.directory, "pulumi/.pulumi/stacks", PROJECT);
  const state = readFileSync(join(states, `${stackOf(ACME)}.json`), "utf8");
  for (const slug of slugs) {
    writeFileSync(join(states, `${stackOf(slug)}.json`), state.replaceAll(new RegExp(`\\b${ACME}\\b`, "g"), slug));
    fleet.declare({ slug, plan: "basic" });
  }
  const base = await fleet.commit();
  for (const slug of slugs) fleet.declare({ slug, plan: "pro" });
  const all = await fleet.preview(["--since", base], FILES);
  const one = await fleet.preview([stackOf(ACME)], 1);
  printFigures(`Preview of ${FILES} changed files`, [
    ["all, two at a time", `${(all / 1000).toFixed(1)} s`],
    ["a file", `${(all / FILES / 1000).toFixed(2)} s, ${(all / FILES / one).toFixed(2)} of a single preview`],
  ]);
}

export async function asked(fleet: Fleet): Promise<void> {
  const { calls } = fleet;
  const preview = await calls.during(() => fleet.preview([stackOf(ACME)], 1));
  const made = await calls.during(() => fleet.up({ slug: "counted", plan: "basic" }));
  const changed = await calls.during(() => fleet.up({ slug: "counted", plan: "pro" }));
  const same = await calls.during(() => fleet.up({ slug: "counted", plan: "pro" }));
  printFigures("Asked of the Cloudflare API and the database", [
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
