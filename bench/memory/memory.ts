/** What the local edge weighs: the demo with its tenants awake, each tenant more, and a thousand tenants that are declared. */
import { availableParallelism } from "node:os";
import { interruption } from "../interruption.ts";
import { judged, printFigures, printTargets } from "../report.ts";
import { declareTenants } from "./declared-tenants.ts";
import type { Footprint, Footprints } from "./footprint.ts";
import { manyScripts } from "./many-scripts.ts";
import { openRunningEdge, type RunningEdge } from "./running-edge.ts";

/** Megabytes. */
const EDGE_TARGET = 250;
const ALL_TARGET = 1_200;
/** Tenants awake at the end, those of the demo with them. */
const MOST_AWAKE = 20;

export async function memory(): Promise<void> {
  process.stdout.write(`memory, on ${availableParallelism()} processors: the demo is being deployed …\n`);
  const interrupted = interruption();
  const edge = await openRunningEdge();
  try {
    await Promise.race([measure(edge), interrupted]);
    process.stdout.write("\n");
    printTargets();
  } finally {
    await edge.close();
  }
}

async function measure(edge: RunningEdge): Promise<void> {
  const demo = edge.tenants.map(({ slug }) => slug);
  printFootprints("the demo, all asleep", await edge.settled());
  await edge.wake(demo);
  const few = await edge.settled();
  printFootprints(`the demo, ${demo.length} tenants awake`, few);
  printFigures("  targets", [
    ["the edge's own process, resident", judged("the edge's own process, MB", few.edge.resident, EDGE_TARGET)],
    ["everything, shared pages counted once", judged("the demo awake, MB", proportional(few.all), ALL_TARGET)],
  ]);

  const more = await declareTenants(edge, MOST_AWAKE - demo.length);
  await edge.wake(more);
  const many = await edge.settled();
  printFootprints(`${MOST_AWAKE} tenants awake`, many);
  const each = (of: (one: Footprints) => number) => `${((of(many) - of(few)) / more.length).toFixed(1)} MB`;
  printFigures(`growth a tenant, from ${demo.length} to ${MOST_AWAKE}, shared pages divided`, [
    ["the edge's own process", each(({ edge }) => proportional(edge))],
    ["its Worker", each(({ Workers }) => proportional(Workers))],
    ["its gateway", each(({ gateways }) => proportional(gateways))],
    ["everything", each(({ all }) => proportional(all))],
    ["everything, shared pages counted in each", each(({ all }) => all.resident)],
  ]);
  await manyScripts(edge);
}

function proportional({ proportional, resident }: Footprint): number {
  return proportional ?? resident;
}

export function printFootprints(title: string, { all, ...groups }: Footprints): void {
  const names = { edge: "the edge's own process", Workers: "workerd", gateways: "gateways", Postgres: "Postgres" };
  const rows = Object.entries({ ...groups, everything: all }).map(
    ([name, one]) => [name in names ? names[name as keyof typeof names] : name, describe(one)] as const,
  );
  printFigures(title, rows);
}

/** A footprint in words. */
export function describe({ processes, resident, proportional }: Footprint): string {
  const shared = proportional === undefined ? "" : `, ${proportional.toFixed(0)} MB with shared pages divided`;
  return `${resident.toFixed(0)} MB resident${shared} (${processes})`;
}
