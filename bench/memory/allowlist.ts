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

/** Returns the megabytes that each tenant adds when it wakes. */
async function memoryOfEach(run: Run, network: NetworkKind, egress: object): Promise<number> {
  const edge = await openRunningEdge(run, { EDGE_CONTAINER_NETWORK: network });
  try {
    const tenants = await declareTenants(edge, TENANTS[run.mode], { egress });
    const asleep = await edge.settled();
    await edge.wake(tenants);
    const awake = await edge.settled();
    return (proportionalBytes(awake.all) - proportionalBytes(asleep.all)) / tenants.length;
  } finally {
    await edge.close();
  }
}
