/** Memory of tenants under an allowlist, in networks of their own, compared with tenants of the mode `open` in the machine's network. */
import type { NetworkKind } from "@tenantry/edge";
import type { ByMode, Run } from "../suite.ts";
import { proportionalBytes } from "./footprint.ts";
import { declareTenants } from "./more-tenants.ts";
import { openRunningEdge, type RunningEdge } from "./running-edge.ts";

const TARGET = 1.1;
const TENANTS: ByMode<number> = { full: 20, smoke: 1 };
const ALLOWLIST = { mode: "allowlist", entries: [{ host: "api.example.com" }] };

export async function memoryUnderAllowlist(_: RunningEdge, run: Run): Promise<void> {
  const count = TENANTS[run.mode];
  const shared = await memoryOfEach(run, "shared", { mode: "open" });
  const own = await memoryOfEach(run, "own", ALLOWLIST);
  const title = `memory of each of ${count} tenants awake, shared pages divided`;
  const limit = { title: `${title}: allowlist to open`, value: own / shared, target: TARGET };
  run.report.figures(title, [
    ["mode open, in the machine's network", `${shared.toFixed(1)} MB`],
    ["under an allowlist, in their own networks", `${own.toFixed(1)} MB`],
    ["ratio", (own / shared).toFixed(2), limit],
  ]);
}

/** Returns the megabytes that each tenant adds to the demo, all awake. */
async function memoryOfEach(run: Run, network: NetworkKind, egress: object): Promise<number> {
  const edge = await openRunningEdge(run, { EDGE_CONTAINER_NETWORK: network });
  try {
    // Awake, since the service that sends their policies may wake them at any time.
    await edge.wake(edge.tenants.map(({ slug }) => slug));
    const few = await edge.settled();
    const tenants = await declareTenants(edge, TENANTS[run.mode], { egress });
    await edge.wake(tenants);
    const many = await edge.settled();
    return (proportionalBytes(many.all) - proportionalBytes(few.all)) / tenants.length;
  } finally {
    await edge.close();
  }
}
