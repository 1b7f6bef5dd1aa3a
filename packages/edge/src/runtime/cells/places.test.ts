import { describe, expect, test } from "vitest";
import { NoPlaceError, Places, type Want } from "./places.ts";

const request = (): Want => ({ urgent: true, unbounded: false });
const tick = (): Want => ({ urgent: false, unbounded: false });
const alarm = (): Want => ({ urgent: false, unbounded: true });
const never = new AbortController().signal;

/** One place, which is taken, and a queue of two. */
async function takeOnlyPlace(makeRoom: () => Promise<void> | undefined = () => undefined) {
  const places = new Places({ count: 1, maxWaiting: 2, makeRoom });
  return { places, release: await places.take(request(), never) };
}

describe("the places of cells", () => {
  test("rejects a request when the queue is full, but no alarm", async () => {
    const { places, release } = await takeOnlyPlace();
    const waiting = [places.take(request(), never), places.take(tick(), never), places.take(alarm(), never)];
    await expect(places.take(request(), never)).rejects.toBeInstanceOf(NoPlaceError);
    release();
    for (const wait of waiting) (await wait)();
    expect(places.full).toBe(false);
  });

  test("grants places to urgent requests first, and every fourth one to another", async () => {
    const places = new Places({ count: 1, maxWaiting: 20, makeRoom: () => undefined });
    const release = await places.take(request(), never);
    const order: string[] = [];
    const record = (name: string, want: Want) =>
      places.take(want, never).then((leave) => {
        order.push(name);
        leave();
      });
    const joined = tick();
    const all = [
      record("alarm", alarm()),
      record("joined", joined),
      ...[1, 2, 3, 4, 5].map((n) => record(`${n}`, request())),
    ];
    joined.urgent = true;
    release();
    await Promise.all(all);
    expect(order).toEqual(["joined", "1", "2", "alarm", "3", "4", "5"]);
  });

  test("makes room for the queue and releases a place once", async () => {
    let leave: (() => void) | undefined;
    let calls = 0;
    const { places, release } = await takeOnlyPlace(() => {
      calls += 1;
      return new Promise((resolve) => {
        leave = resolve;
      });
    });
    const waits = places.take(request(), never);
    places.settle();
    expect(calls).toBe(1);
    release();
    release();
    leave?.();
    const releaseNext = await waits;
    expect(places.full).toBe(true);
    releaseNext();
    expect(places.full).toBe(false);
  });

  test("removes an aborted request from the queue", async () => {
    const { places, release } = await takeOnlyPlace();
    const gone = new AbortController();
    const wait = places.take(request(), gone.signal);
    gone.abort(new Error("gone"));
    await expect(wait).rejects.toThrow("gone");
    release();
    expect(places.full).toBe(false);
  });
});
