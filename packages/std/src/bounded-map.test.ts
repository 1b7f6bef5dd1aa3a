import fc from "fast-check";
import { expect, test } from "vitest";
import { BoundedMap } from "./bounded-map.ts";

const CAPACITY = 8;
const key = fc.integer({ min: 0, max: 19 });
const step = fc.oneof(
  fc.record({ does: fc.constant("set" as const), key, value: fc.integer({ min: 1 }) }),
  fc.record({ does: fc.constant("get" as const), key }),
  fc.record({ does: fc.constant("delete" as const), key }),
);

test("it holds what was set last, at most its capacity, and at least half of that of what was used last", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 100 }), (steps) => {
      const map = new BoundedMap<number, number>(CAPACITY);
      const model = new Map<number, number>();
      /** Keys by when they were last used, the latest last. */
      const used = new Set<number>();
      for (const one of steps) {
        const before = model.get(one.key);
        if (one.does === "set") {
          map.set(one.key, one.value);
          model.set(one.key, one.value);
        } else if (one.does === "delete") {
          map.delete(one.key);
          model.delete(one.key);
        } else {
          const found = map.get(one.key);
          const isRecent = [...used].slice(-CAPACITY / 2).includes(one.key);
          if (isRecent) expect(found).toBe(before);
          else expect([before, undefined]).toContain(found);
          if (found === undefined) model.delete(one.key);
        }
        used.delete(one.key);
        if (model.has(one.key)) used.add(one.key);
        expect(map.size).toBeLessThanOrEqual(CAPACITY);
      }
    }),
  );
});

test("it drops what matches, young or old", () => {
  const map = new BoundedMap<number, string>(4);
  for (let key = 1; key <= 4; key += 1) map.set(key, key % 2 ? "odd" : "even");
  map.deleteWhere((value) => value === "odd");
  expect([1, 2, 3, 4].map((key) => map.get(key))).toEqual([undefined, "even", undefined, "even"]);
});
