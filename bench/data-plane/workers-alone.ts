/**
 * The platform's own Workers without the local edge's hops: what dispatch adds to a Worker that only forwards, what a snapshot
 * adds to the gateway's `/health`, and what the way to a gateway adds to the gateway.
 */
import { compare, type Side } from "../measure.ts";
import { distribution, printComparison, printFigures } from "../report.ts";
import { type OneWorkerd, REAL, startOneWorkerd } from "./one-workerd.ts";
import { SMALL } from "./workers.ts";

const CPU_TARGET = 1.25;
const LATENCY_TARGET = 1.3;
/** Enough for the Workers' code to be compiled. */
const WARM_UP_CALLS = 1_000;
const CPU_BOUNDS = { rounds: 61, budgetMs: 8_000 };
const LATENCY_BOUNDS = { rounds: 15, budgetMs: 4_000 };
const CALLS = 60;
/** Fewer: a snapshot runs commands in the container. */
const LATENCY_CALLS = 15;

export async function workersAlone(): Promise<void> {
  const workerd = await startOneWorkerd();
  try {
    await dispatchCpu(workerd, REAL, "/health", "the tenant Worker's own part included");
    await dispatchCpu(workerd, SMALL, "/page?a=b", "a tenant that only answers");
    await latency(workerd, "health snapshot, against the gateway's /health the same way", {
      subject: { name: "snapshot", to: await workerd.to("dispatch", REAL, "/api/status?passive=1") },
      baseline: { name: "the gateway's /health", to: await workerd.to("dispatch", REAL, "/health") },
    });
    await latency(workerd, "proxying GET /health", {
      subject: { name: "dispatch, tenant, gateway", to: await workerd.to("dispatch", REAL, "/health") },
      baseline: { name: "the gateway on its own port", to: workerd.direct("/health") },
    });
  } finally {
    await workerd.close();
  }
}

async function dispatchCpu(workerd: OneWorkerd, slug: string, path: string, tenant: string): Promise<void> {
  const { client } = workerd;
  const sides = [
    { name: "dispatch Worker", to: await workerd.to("dispatch", slug, path), latencies: [] as number[] },
    { name: "Worker that only forwards", to: await workerd.to("forward", slug, path), latencies: [] as number[] },
  ] as const;
  for (const { to } of sides) await client.calls(to, WARM_UP_CALLS);
  const [subject, baseline] = sides.map(
    ({ name, to, latencies }): Side => ({
      name,
      async round() {
        const before = workerd.cpu();
        latencies.push(...(await client.calls(to, CALLS)));
        return [(workerd.cpu() - before) / CALLS];
      },
    }),
  ) as [Side, Side];
  const title = `dispatch, warm, ${tenant}, without the local edge: CPU of workerd a request`;
  printComparison(title, "µs", await compare(subject, baseline, CPU_BOUNDS), CPU_TARGET);
  printFigures(
    "  latency of the same requests",
    sides.map(({ name, latencies }) => [name, distribution(latencies, "ms")]),
  );
}

type Named = { name: string; to: Awaited<ReturnType<OneWorkerd["to"]>> };

async function latency(
  { client }: OneWorkerd,
  title: string,
  { subject, baseline }: { subject: Named; baseline: Named },
): Promise<void> {
  for (const { to } of [subject, baseline]) await client.calls(to, WARM_UP_CALLS / 10);
  const side = ({ name, to }: Named): Side => ({ name, round: () => client.calls(to, LATENCY_CALLS) });
  const compared = await compare(side(subject), side(baseline), LATENCY_BOUNDS);
  printComparison(`${title}, without the local edge: latency`, "ms", compared, LATENCY_TARGET);
}
