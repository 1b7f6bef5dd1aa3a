import type { Clock } from "@tenantry/cloudflare-client/late-list";
import { UserError } from "@tenantry/plugin-host";
import { APIError } from "cloudflare/error";
import { beforeEach, expect, test } from "vitest";
import { createOnce } from "./create-once.ts";

const LOST = 502;
const LIMITED = 429;
const EXISTS = 409;
const INVALID = 400;

let now = 0;
const clock: Clock = {
  now: () => now,
  sleep: async (ms) => {
    now += ms;
  },
};
beforeEach(() => {
  now = 0;
});

const refusal = (status: number, message = "refused") =>
  APIError.generate(status, { errors: [{ code: 1, message }] }, message, new Headers());

/**
 * An account whose list shows an object `late` milliseconds after its creation.
 * @param answers status of each create; 200 and the lost one take effect
 */
function account(
  answers: number[],
  { late = 0, isUnique = false, isCurrent = false, present = false, message = "refused" } = {},
) {
  const created: number[] = present ? [0] : [];
  const create = async () => {
    const status = answers.shift() ?? 200;
    if (created.length > 0 && isUnique && status !== LIMITED) throw refusal(INVALID, "OBJECT_ALREADY_EXISTS");
    if (status === 200 || status === LOST) created.push(now);
    if (status !== 200) throw refusal(status, message);
    return `object ${created.length}`;
  };
  const find = async () => {
    const index = created.findIndex((at) => now >= at + late);
    return index < 0 ? undefined : `object ${index + 1}`;
  };
  return { created, run: () => createOnce(create, find, { isUnique, isCurrent, clock }) };
}

test("does not create a second object when the list shows the first one late", async () => {
  const { run, created } = account([LOST], { late: 3_000 });
  expect(await run()).toBe("object 1");
  expect(created).toHaveLength(1);
  expect(now).toBe(3_000);
});

test("repeats a create whose object no list shows after the time of a late list", async () => {
  const { run, created } = account([500, 503], { late: 3_000 });
  expect(await run()).toBe("object 1");
  expect(created).toEqual([11_500]);
});

test("repeats at once where the API refuses a second object, and then waits for the list", async () => {
  const { run, created } = account([LOST], { late: 3_000, isUnique: true });
  expect(await run()).toBe("object 1");
  expect(created).toHaveLength(1);
  expect(now).toBeLessThan(4_000);
});

test.each([
  ["409", EXISTS, "refused"],
  ["its text", INVALID, "DURABLE_OBJECT_ALREADY_HAS_APPLICATION"],
])("waits for an object of a killed run when the API says by %s that it exists", async (_how, status, message) => {
  const { run, created } = account([status], { late: 3_000, present: true, message });
  expect(await run()).toBe("object 1");
  expect(created).toHaveLength(1);
});

test("does not wait after a refusal, nor repeat it", async () => {
  const { run, created } = account([INVALID, 200]);
  await expect(run()).rejects.toMatchObject({ status: INVALID });
  expect({ now, created }).toEqual({ now: 0, created: [] });
});

test("repeats after a rate limit without waiting for a list", async () => {
  const { run } = account([LIMITED, LIMITED]);
  expect(await run()).toBe("object 1");
  expect(now).toBe(1_500);
});

test("does not wait for what is read by its name", async () => {
  const { run } = account([500], { isCurrent: true });
  expect(await run()).toBe("object 1");
  expect(now).toBe(500);
});

test("reports a foreign object that holds the name", async () => {
  const create = () => Promise.reject(refusal(EXISTS));
  const find = () => Promise.reject(new UserError("foreign"));
  await expect(createOnce(create, find, { clock })).rejects.toThrow("foreign");
  const unread = createOnce(create, () => Promise.reject(refusal(LOST)), { clock });
  await expect(unread).rejects.toMatchObject({ status: EXISTS });
});

test("throws the last temporary failure", async () => {
  const { run, created } = account([503, 503, 503, 503, 200]);
  await expect(run()).rejects.toMatchObject({ status: 503 });
  expect(created).toEqual([]);
});
