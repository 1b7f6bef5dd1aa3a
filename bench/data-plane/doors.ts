/** Webhooks: the cost of a door, and the effect of forged ones on other tenants. Without the local edge. */
import { setTimeout as delay } from "node:timers/promises";
import { newDoorKey } from "#domain/doors/door-key.ts";
import { Client, repeatCall, type Target } from "../client.ts";
import type { Side } from "../measure.ts";
import { type ByMode, type Run, reportComparison } from "../suite.ts";
import type { DoorWorker, OneWorkerd } from "./one-workerd.ts";
import { SMALL } from "./workers.ts";

const CPU_TARGET = 1.5;
const LATENCY_TARGET = 1.2;

const CPU_BOUNDS: ByMode<{ rounds: number; budgetMs: number; calls: number; warmUp: number }> = {
  full: { rounds: 41, budgetMs: 20_000, calls: 60, warmUp: 1_000 },
  smoke: { rounds: 1, budgetMs: 8_000, calls: 10, warmUp: 1 },
};
/** In full mode 10,000 forged or replayed requests in a minute. */
const FLOOD_BOUNDS: ByMode<{ rounds: number; budgetMs: number; requests: number; perSecond: number }> = {
  full: { rounds: 10, budgetMs: 180_000, requests: 1_000, perSecond: 167 },
  smoke: { rounds: 1, budgetMs: 8_000, requests: 30, perSecond: 167 },
};
const FLOOD_CONNECTIONS = 8;
/** Between two requests of the other tenant. */
const PAUSE_MS = 10;

export async function measureDoors(workerd: OneWorkerd, run: Run): Promise<void> {
  const dispatch = { name: "dispatch Worker and the tenant's inbox", worker: "dispatch" } as const;
  const verify = { name: "Worker that only verifies the signature", worker: "verify" } as const;
  const store = {
    name: "smallest pair of Workers that verifies and stores the webhook",
    worker: "verify-and-store",
  } as const;
  await doorCpu(workerd, run, { subject: dispatch, baseline: verify, target: CPU_TARGET });
  await doorCpu(workerd, run, { subject: dispatch, baseline: store, target: CPU_TARGET });
  // What a message costs that is stored before its acknowledgement, in whatever way.
  await doorCpu(workerd, run, { subject: store, baseline: verify });
  await floodEffect(workerd, run);
}

interface DoorSide {
  name: string;
  worker: DoorWorker;
}

async function doorCpu(
  workerd: OneWorkerd,
  run: Run,
  { subject, baseline, ...target }: { subject: DoorSide; baseline: DoorSide; target?: number },
): Promise<void> {
  const { client } = workerd;
  const { calls, warmUp, ...bounds } = CPU_BOUNDS[run.mode];
  const side = async ({ name, worker }: DoorSide): Promise<Side> => {
    const send = async () => client.call(await workerd.webhook(worker));
    await repeatCall(warmUp, send);
    return {
      name,
      async round() {
        const before = workerd.cpu();
        await repeatCall(calls, send);
        return [(workerd.cpu() - before) / calls];
      },
    };
  };
  await reportComparison(run, {
    title: `a webhook until its acknowledgement, ${subject.name}, compared with the ${baseline.name}: CPU of workerd per request`,
    unit: "µs",
    subject: await side(subject),
    baseline: await side(baseline),
    bounds,
    ...target,
  });
}

async function floodEffect(workerd: OneWorkerd, run: Run): Promise<void> {
  const { requests, perSecond, ...bounds } = FLOOD_BOUNDS[run.mode];
  const legitimate = await workerd.to("dispatch", SMALL, "/page?a=b");
  const known = await workerd.webhook("dispatch", { isForged: true });
  const attacker = new Client(FLOOD_CONNECTIONS);
  const asleep = await workerd.sleepingTenant();
  /** Each returns a request: forged for a door that exists or for none, replayed, and replayed too late. */
  const kinds: readonly (() => Promise<Target> | Target)[] = [
    () => known,
    () => workerd.webhook("dispatch", { isForged: true, key: newDoorKey() }),
    () => asleep.replayed(),
    () => asleep.outdated(),
  ];
  let sentRequests = 0;
  const flood = async () => {
    const startedAt = performance.now();
    const sent: Promise<number>[] = [];
    for (let at = 0; at < requests; at += 1) {
      const target = await kinds[at % kinds.length]?.();
      if (target !== undefined) sent.push(attacker.call(target));
      const ahead = startedAt + ((at + 1) * 1000) / perSecond - performance.now();
      if (ahead > 1) await delay(ahead);
    }
    await Promise.all(sent);
    sentRequests += sent.length;
  };
  const during = async (work: Promise<unknown>) => {
    const latencies: number[] = [];
    let ended = false;
    const ending = work.finally(() => {
      ended = true;
    });
    do {
      latencies.push(await workerd.client.call(legitimate));
      await delay(PAUSE_MS);
    } while (!ended);
    await ending;
    return latencies;
  };
  try {
    await reportComparison(run, {
      title: "another tenant's requests while forged and replayed webhooks arrive: latency",
      unit: "ms",
      subject: { name: `during ${perSecond} such webhooks per second`, round: () => during(flood()) },
      baseline: { name: "without them", round: () => during(delay((requests * 1000) / perSecond)) },
      bounds,
      target: LATENCY_TARGET,
    });
    const title = "containers that forged and replayed webhooks started";
    const starts = asleep.starts();
    run.report.figures(title, [[`of ${sentRequests}`, String(starts), { title, value: starts, target: 0 }]]);
  } finally {
    attacker.close();
  }
}
