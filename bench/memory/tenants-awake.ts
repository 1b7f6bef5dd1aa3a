/** Memory of the local edge: the demo with its tenants awake, and of each additional tenant. */
import type { Report } from "../report.ts";
import type { ByMode, Run } from "../suite.ts";
import { describeFootprint, type Footprints, proportionalBytes } from "./footprint.ts";
import { declareTenants } from "./more-tenants.ts";
import type { RunningEdge } from "./running-edge.ts";

/** Megabytes. */
const EDGE_TARGET = 250;
const ALL_TARGET = 1_200;
const ADDITIONAL: ByMode<number> = { full: 16, smoke: 1 };

export async function tenantsAwake(edge: RunningEdge, { mode, report }: Run): Promise<void> {
  const demo = edge.tenants.map(({ slug }) => slug);
  reportFootprints(report, "the demo, all asleep", await edge.settled());
  await edge.wake(demo);
  const few = await edge.settled();
  reportFootprints(report, `the demo, ${demo.length} tenants awake`, few);
  const limits = [
    { title: "the edge's own process, resident MB", value: few.edge.resident, target: EDGE_TARGET },
    {
      title: "the demo awake, MB with shared pages counted once",
      value: proportionalBytes(few.all),
      target: ALL_TARGET,
    },
  ];
  report.figures(
    "limits of the demo",
    limits.map((limit) => [limit.title, `${limit.value.toFixed(0)} MB`, limit]),
  );

  const more = await declareTenants(edge, ADDITIONAL[mode]);
  await edge.wake(more);
  const many = await edge.settled();
  const awake = demo.length + more.length;
  reportFootprints(report, `${awake} tenants awake`, many);
  const each = (of: (footprints: Footprints) => number) => `${((of(many) - of(few)) / more.length).toFixed(1)} MB`;
  report.figures(`growth per tenant, from ${demo.length} to ${awake}, shared pages divided`, [
    ["the edge's own process", each(({ edge }) => proportionalBytes(edge))],
    ["its Worker", each(({ Workers }) => proportionalBytes(Workers))],
    ["its gateway", each(({ gateways }) => proportionalBytes(gateways))],
    ["everything", each(({ all }) => proportionalBytes(all))],
    ["everything, shared pages counted in each", each(({ all }) => all.resident)],
  ]);
}

const NAMES: Readonly<Record<string, string>> = { edge: "the edge's own process", Workers: "workerd" };

function reportFootprints(report: Report, title: string, { all, ...groups }: Footprints): void {
  const rows = Object.entries({ ...groups, everything: all });
  report.figures(
    title,
    rows.map(([name, footprint]) => [NAMES[name] ?? name, describeFootprint(footprint)]),
  );
}
