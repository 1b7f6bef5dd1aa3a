/** The platform's Workers without the local edge's hops: the cost of dispatch, of a health snapshot, and of the way to a gateway. */
import { repeatCall, type Target } from "../client.ts";
import type { Side } from "../measure.ts";
import { distributionText } from "../report.ts";
import { type ByMode, type Run, reportComparison } from "../suite.ts";
import { measureDoors } from "./doors.ts";
import { SNAPSHOT } from "./health-snapshot.ts";
import { type OneWorkerd, REAL, startOneWorkerd } from "./one-workerd.ts";
import type { Platform } from "./platform.ts";
import { SMALL } from "./workers.ts";

const CPU_TARGET = 1.1;
const SNAPSHOT_TARGET = 1.2;
const PROXY_TARGET = 1.3;

interface Sizes {
  rounds: number;
  budgetMs: number;
  calls: number;
  warmUp: number;
}

const CPU_BOUNDS: ByMode<Sizes> = {
  full: { rounds: 61, budgetMs: 20_000, calls: 60, warmUp: 1_000 },
  smoke: { rounds: 1, budgetMs: 8_000, calls: 10, warmUp: 1 },
};
/** Fewer calls, because a snapshot runs commands in the container. */
const LATENCY_BOUNDS: ByMode<Sizes> = {
  full: { rounds: 31, budgetMs: 20_000, calls: 15, warmUp: 200 },
  smoke: { rounds: 1, budgetMs: 4_000, calls: 1, warmUp: 1 },
};

export async function workersAlone(_platform: Platform, run: Run): Promise<void> {
  const workerd = await startOneWorkerd();
  try {
    const whole = { name: "dispatch Worker", worker: "dispatch", target: CPU_TARGET } as const;
    const logging = { name: "Worker that forwards and logs a line", worker: "forward-and-log" } as const;
    await addedCpu(workerd, run, {
      title: "dispatch, warm, including the tenant Worker",
      subject: whole,
      slug: REAL,
      path: "/health",
    });
    const small = { slug: SMALL, path: "/page?a=b" };
    await addedCpu(workerd, run, {
      title: "dispatch, warm, a tenant with a constant response",
      subject: whole,
      ...small,
    });
    await addedCpu(workerd, run, { title: "of that, the log line", subject: logging, ...small });
    await measureDoors(workerd, run);
    const { client } = workerd;
    const timedCall = (name: string, to: Target): Timed => ({ name, call: () => client.call(to) });
    const proxied = await workerd.to("dispatch", REAL, "/health");
    const snapshot = timedCall("snapshot", await workerd.to("dispatch", REAL, SNAPSHOT));
    await compareLatency(run, {
      title: "health snapshot, compared with the gateway's /health the same way",
      subject: snapshot,
      baseline: timedCall("the gateway's /health", proxied),
      target: SNAPSHOT_TARGET,
    });
    // Each snapshot must list the processes, which takes a command in the container.
    await compareLatency(run, {
      title: "health snapshot, compared with the gateway's /health and an empty command in the container",
      subject: snapshot,
      baseline: {
        name: "the later of the two",
        call: async () => Math.max(...(await Promise.all([client.call(proxied), workerd.emptyCommand()]))),
      },
      target: SNAPSHOT_TARGET,
    });
    await compareLatency(run, {
      title: "proxying GET /health",
      subject: timedCall("dispatch, tenant, gateway", proxied),
      baseline: timedCall("the gateway on its own port", workerd.direct("/health")),
      target: PROXY_TARGET,
    });
  } finally {
    await workerd.close();
  }
}

interface Added {
  title: string;
  subject: { name: string; worker: Parameters<OneWorkerd["to"]>[0]; target?: number };
  slug: string;
  path: string;
}

async function addedCpu(
  workerd: OneWorkerd,
  run: Run,
  { title: name, subject: added, slug, path }: Added,
): Promise<void> {
  const { client } = workerd;
  const { calls, warmUp, ...bounds } = CPU_BOUNDS[run.mode];
  const sides = [
    { name: added.name, to: await workerd.to(added.worker, slug, path), latencies: [] as number[] },
    { name: "Worker that only forwards", to: await workerd.to("forward", slug, path), latencies: [] as number[] },
  ] as const;
  for (const { to } of sides) await client.calls(to, warmUp);
  const [subject, baseline] = sides.map(
    ({ name, to, latencies }): Side => ({
      name,
      async round() {
        const before = workerd.cpu();
        latencies.push(...(await client.calls(to, calls)));
        return [(workerd.cpu() - before) / calls];
      },
    }),
  ) as [Side, Side];
  const title = `${name}, without the local edge`;
  await reportComparison(run, {
    title: `${title}: CPU of workerd per request`,
    unit: "µs",
    subject,
    baseline,
    bounds,
    ...(added.target !== undefined && { target: added.target }),
  });
  run.report.figures(
    `${title}: latency of the same requests`,
    sides.map(({ name, latencies }) => [name, distributionText(latencies, "ms")]),
  );
}

interface Timed {
  name: string;
  call: () => Promise<number>;
}

async function compareLatency(
  run: Run,
  { title, subject, baseline, target }: { title: string; subject: Timed; baseline: Timed; target: number },
): Promise<void> {
  const { calls, warmUp, ...bounds } = LATENCY_BOUNDS[run.mode];
  const side = ({ name, call }: Timed): Side => ({ name, round: () => repeatCall(calls, call) });
  for (const { call } of [subject, baseline]) await repeatCall(warmUp, call);
  await reportComparison(run, {
    title: `${title}, without the local edge: latency`,
    unit: "ms",
    subject: side(subject),
    baseline: side(baseline),
    bounds,
    target,
  });
}
