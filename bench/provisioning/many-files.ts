/** A preview of many changed files. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PROJECT } from "#automation/engine/project-name.ts";
import type { ByMode, Run } from "../suite.ts";
import { type Fleet, insertRows, stackOf } from "./fleet.ts";
import { ACME } from "./previews.ts";

const BOUNDS: ByMode<{ files: number }> = { full: { files: 50 }, smoke: { files: 2 } };

export async function manyFiles(fleet: Fleet, { mode, report }: Run): Promise<void> {
  const { files } = BOUNDS[mode];
  await insertRows(fleet.edge, `${ACME}-`, files);
  const slugs = Array.from({ length: files }, (_, index) => `${ACME}-${index + 1}`);
  const states = join(fleet.edge.directory, "pulumi/.pulumi/stacks", PROJECT);
  const state = readFileSync(join(states, `${stackOf(ACME)}.json`), "utf8");
  for (const slug of slugs) {
    writeFileSync(join(states, `${stackOf(slug)}.json`), state.replaceAll(new RegExp(`\\b${ACME}\\b`, "g"), slug));
    fleet.declare({ slug, plan: "basic" });
  }
  const base = await fleet.commit();
  for (const slug of slugs) fleet.declare({ slug, plan: "pro" });
  const all = await fleet.preview(["--since", base], files);
  const one = await fleet.preview([stackOf(ACME)], 1);
  report.figures(`Preview of ${files} changed files`, [
    ["all, two at a time", `${(all / 1000).toFixed(1)} s`],
    ["a file", `${(all / files / 1000).toFixed(2)} s, ${(all / files / one).toFixed(2)} of a single preview`],
  ]);
}
