import type { WorkerEvents } from "graphile-worker";

/** Idle workers poll every two seconds. */
const QUIET_MS = 30_000;

/** Returns a function that tells whether the workers of this process poll the queue, or all are busy. */
export function watchPulse(events: WorkerEvents, concurrency: number): () => boolean {
  let lastPoll = Date.now();
  let busy = 0;
  let ended = false;
  const count = (change: number) => () => {
    lastPoll = Date.now();
    busy += change;
  };
  events.on("worker:getJob:empty", count(0));
  events.on("job:start", count(1));
  events.on("job:complete", count(-1));
  events.on("stop", () => {
    ended = true;
  });
  return () => !ended && (busy >= concurrency || Date.now() - lastPoll < QUIET_MS);
}
