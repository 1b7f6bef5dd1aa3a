import { describe, expect, test } from "vitest";
import { NoPlaceError, Places, type Want } from "./places.ts";

const request = (): Want => ({ urgent: true, unbounded: false });
const tick = (): Want => ({ urgent: false, unbounded: false });
const alarm = (): Want => ({ urgent: false, unbounded: true });
const never = new AbortController().signal;

/** One place that is taken, and two that may wait for it. */
async function full(makeRoom: () => Promise<void> | undefined = () => undefined) {
  const places = new Places({ count: 1, mostWaiting: 2, makeRoom });
  return { places, giveBack: await places.take(request(), never) };
}

describe("the places of cells", () => {
  test("refuses who comes when too many wait, but no alarm", async () => {
    const { places, giveBack } = await full();
    const waiting = [places.take(request(), never), places.take(tick(), never), places.take(alarm(), never)];
    await expect(places.take(request(), never)).rejects.toBeInstanceOf(NoPlaceError);
    giveBack();
    for (const wait of waiting) (await wait)();
    expect(places.full).toBe(false);
  });

  test("serves requests first, and every fourth time who is not urgent", async () => {
    const places = new Places({ count: 1, mostWaiting: 20, makeRoom: () => undefined });
    const giveBack = await places.take(request(), never);
    const order: string[] = [];
    const note = (name: string, want: Want) =>
      places.take(want, never).then((leave) => {
        order.push(name);
        leave();
      });
    const joined = tick();
    const all = [
      note("alarm", alarm()),
      note("joined", joined),
      ...[1, 2, 3, 4, 5].map((n) => note(`${n}`, request())),
    ];
    joined.urgent = true;
    giveBack();
    await Promise.all(all);
    expect(order).toEqual(["joined", "1", "2", "alarm", "3", "4", "5"]);
  });

  test("makes room for as many as wait, and gives a place back once", async () => {
    let leave: (() => void) | undefined;
    let asked = 0;
    const { places, giveBack } = await full(() => {
      asked += 1;
      return new Promise((resolve) => {
        leave = resolve;
      });
    });
    const waits = places.take(request(), never);
    places.settle();
    expect(asked).toBe(1);
    giveBack();
    giveBack();
    leave?.();
    const own = await waits;
    expect(places.full).toBe(true);
    own();
    expect(places.full).toBe(false);
  });

  test("forgets who has given up", async () => {
    const { places, giveBack } = await full();
    const gone = new AbortController();
    const wait = places.take(request(), gone.signal);
    gone.abort(new Error("gone"));
    await expect(wait).rejects.toThrow("gone");
    giveBack();
    expect(places.full).toBe(false);
  });
});
