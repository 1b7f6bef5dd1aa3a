import fc from "fast-check";
import { expect, test } from "vitest";
import { BoundedMap } from "./bounded-map.ts";

const CAPACITY = 8;
const key = fc.integer({ min: 0, max: 19 });
const steps = fc.oneof(
  fc.record({ does: fc.constant("set" as const), key, value: fc.integer({ min: 1 }) }),
  fc.record({ does: fc.constant("get" as const), key }),
  fc.record({ does: fc.constant("delete" as const), key }),
);

test("holds at most its capacity, and at least the half of it that was used last", () => {
  fc.assert(
    fc.property(fc.array(steps, { maxLength: 100 }), (sequence) => {
      const map = new BoundedMap<number, number>(CAPACITY);
      const model = new Map<number, number>();
      /** Keys by last use, the latest last. */
      const used = new Set<number>();
      for (const step of sequence) {
        const before = model.get(step.key);
        if (step.does === "set") {
          map.set(step.key, step.value);
          model.set(step.key, step.value);
        } else if (step.does === "delete") {
          map.delete(step.key);
          model.delete(step.key);
        } else {
          const found = map.get(step.key);
          const isRecent = [...used].slice(-CAPACITY / 2).includes(step.key);
          if (isRecent) expect(found).toBe(before);
          else expect([before, undefined]).toContain(found);
          if (found === undefined) model.delete(step.key);
        }
        used.delete(step.key);
        if (model.has(step.key)) used.add(step.key);
        expect(map.size).toBeLessThanOrEqual(CAPACITY);
      }
    }),
  );
});

test("deletes entries that match, of both generations", () => {
  const map = new BoundedMap<number, string>(4);
  for (let key = 1; key <= 4; key += 1) map.set(key, key % 2 ? "odd" : "even");
  map.deleteWhere((value) => value === "odd");
  expect([1, 2, 3, 4].map((key) => map.get(key))).toEqual([undefined, "even", undefined, "even"]);
});
