/** Concurrent requests to a Worker with a constant response: on the local edge, compared with Miniflare alone. */
import { putRoute, putScript } from "@tenantry/edge/testing/runtime";
import { createScratch, removeScratch, startWorkerd } from "@tenantry/edge/workerd";
import { Client, type Target } from "../client.ts";
import { measureTime, quantileOf, type Side } from "../measure.ts";
import { type ByMode, type Run, reportComparison } from "../suite.ts";
import { type Platform, tenantHost } from "./platform.ts";
import { SMALL_WORKER } from "./workers.ts";

const BOUNDS: ByMode<{ rounds: number; budgetMs: number; requests: number; warmUp: number }> = {
  full: { rounds: 9, budgetMs: 20_000, requests: 2_000, warmUp: 1_000 },
  smoke: { rounds: 1, budgetMs: 10_000, requests: 20, warmUp: 1 },
};
const CONCURRENCY = 16;
const SCRIPT = "bench-answer";

export async function measureThroughput({ edge }: Platform, run: Run): Promise<void> {
  const { requests, warmUp, ...bounds } = BOUNDS[run.mode];
  const scratch = createScratch();
  const worker = { name: "small", modules: true as const, script: SMALL_WORKER };
  // Started as the edge does, so that it ends with this process.
  const alone = await startWorkerd({ options: { workers: [worker] }, scratch, label: "miniflare", log: () => {} });
  const clients = Array.from({ length: CONCURRENCY }, () => new Client());
  const hostname = tenantHost(edge, SCRIPT);
  const pattern = `${hostname}/*`;
  try {
    putScript(edge.store, { name: SCRIPT, source: SMALL_WORKER });
    putRoute(edge.store, pattern, SCRIPT);
    const targets = [
      { name: "the local edge", to: { port: edge.port, path: "/", headers: { host: `${hostname}:${edge.port}` } } },
      { name: "Miniflare alone", to: { port: Number((await alone.miniflare.ready).port), path: "/", headers: {} } },
    ];
    for (const { to } of targets) await spreadRequests(clients, to, warmUp);
    const [subject, baseline] = targets.map(
      ({ name, to }): Side => ({ name, round: async () => [(await spreadRequests(clients, to, requests)) / requests] }),
    ) as [Side, Side];
    const title = `a Worker with a constant response, ${CONCURRENCY} concurrent requests`;
    const { samples } = await reportComparison(run, {
      title: `${title}: time per request`,
      unit: "ms",
      subject,
      baseline,
      bounds,
    });
    const rate = (times: readonly number[]) => `${(1000 / quantileOf(times, 0.5)).toFixed(0)} requests/s`;
    run.report.figures(`${title}: requests per second`, [
      [subject.name, rate(samples.subject)],
      [baseline.name, rate(samples.baseline)],
    ]);
  } finally {
    edge.store.delete("route", `route ${pattern}`);
    for (const client of clients) client.close();
    await alone.stop();
    removeScratch(scratch);
  }
}

function spreadRequests(clients: readonly Client[], to: Target, requests: number): Promise<number> {
  return measureTime(() =>
    Promise.all(clients.map((client) => client.calls(to, Math.ceil(requests / clients.length)))),
  );
}
