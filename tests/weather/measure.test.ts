import { onTestFinished, test } from "vitest";
import { openPlatform, platformSettings, stackOf } from "../testing/platform.ts";
import { attempt } from "./testing/attempts.ts";

test("measure", async () => {
  const results: Record<string, number[]> = {};
  for (let n = 0; n < 12; n += 1) {
    for (const how of ["calm", "faults"]) {
      const { edge, close } = await openPlatform({ adopts: false, weather: { seed: 100 + n, pace: 1, rates: how === "calm" ? { api_rate_limited: 0, api_failed: 0, api_unavailable: 0, api_not_received: 0, api_response_lost: 0, api_slow: 0, api_bad_gateway: 0 } : {} } });
      edge.weather?.pause();
      const stack = await stackOf(edge, platformSettings([{ slug: "acme", plan: "basic" }]));
      edge.weather?.resume();
      const began = performance.now();
      let failures: string[] = [];
      try { failures = await attempt(() => stack.up()); } catch (e) { failures = ["FAILED"]; }
      (results[how] ??= []).push(Math.round(performance.now() - began));
      console.log(n, how, results[how]?.at(-1), failures.length, JSON.stringify(edge.weather?.injected()));
      await close();
    }
  }
  for (const [how, times] of Object.entries(results)) console.log(how, times.toSorted((a, b) => a - b).join(" "), "mean", times.reduce((a, b) => a + b) / times.length);
});
