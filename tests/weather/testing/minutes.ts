import type { Edge } from "#local/edge.ts";
import { everyMinute } from "../../testing/http.ts";

/** Fires the trigger of each minute of production at the weather's pace, and the next one after it. @returns a function that ends it */
export function passMinutes(edge: Edge): () => Promise<void> {
  const ended = new AbortController();
  const { weather } = edge;
  const run = async () => {
    while (!ended.signal.aborted && weather !== undefined) {
      await weather.delay(60_000).catch(() => {});
      if (!ended.signal.aborted) await everyMinute(edge);
    }
  };
  const running = run();
  return async () => {
    ended.abort();
    await running;
  };
}
