/** Sends requests during changes of a platform. */
import { setTimeout as delay } from "node:timers/promises";
import type { Answer } from "./http.ts";

export interface Probe {
  ask: () => Promise<Answer>;
  /** Expected status. */
  status: number;
}

export interface TrafficReport {
  /** Number of responses by probe. */
  answers: Record<string, number>;
  /** Unexpected responses. */
  failures: string[];
}

/** Repeats each probe, one request at a time, with a pause of `betweenMs`. @returns stops, and returns the results */
export function startTraffic(probes: Readonly<Record<string, Probe>>, betweenMs = 250): () => Promise<TrafficReport> {
  const ended = new AbortController();
  const report: TrafficReport = { answers: {}, failures: [] };
  const loops = Object.entries(probes).map(async ([name, { ask, status }]) => {
    while (!ended.signal.aborted) {
      const answer = await ask().catch((error: Error) => ({ status: 0, body: error.message }));
      report.answers[name] = (report.answers[name] ?? 0) + 1;
      if (answer.status !== status)
        report.failures.push(`${name}: ${answer.status} ${answer.body.slice(0, 300)} at ${new Date().toISOString()}`);
      await delay(betweenMs, undefined, { signal: ended.signal }).catch(() => {});
    }
  });
  return async () => {
    ended.abort();
    await Promise.all(loops);
    return report;
  };
}
