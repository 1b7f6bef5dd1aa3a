/** Lookups that a client without a login can cause. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { errorBody } from "#workers/contracts/errors.ts";
import { type DispatchUnderTest, DOMAIN, startDispatch, tenant } from "../testing/start-dispatch.ts";

const BURST = 100;

let dispatch: DispatchUnderTest;
let networks = 0;
let address: string;
beforeAll(async () => {
  dispatch = await startDispatch();
});
afterAll(() => dispatch?.stop());
beforeEach(() => {
  networks += 1;
  address = `2001:db8:0:${networks}::1`;
});

let made = 0;
function madeUp(): string {
  made += 1;
  return `made-up-${made}`;
}

function known(): string {
  const slug = `known-${madeUp()}`;
  dispatch.rest.tenants.set(slug, tenant(slug));
  return slug;
}

const get = (slug: string, from = address) =>
  dispatch.fetch(`${slug}.${DOMAIN}`, "/api/health", { headers: { "cf-connecting-ip": from } });

async function status(slug: string, from?: string): Promise<number> {
  const response = await get(slug, from);
  await response.body?.cancel();
  return response.status;
}

/** Requests unknown slugs until the limit. @returns the last response, and the number of earlier ones */
async function exhaust(from: (call: number) => string = () => address) {
  for (let call = 0; call < 3 * BURST; call += 1) {
    const response = await get(madeUp(), from(call));
    if (response.status === 429) return { passed: call, refused: response };
    expect(response.status).toBe(404);
    await response.body?.cancel();
  }
  throw new Error("The limit was not reached.");
}

test("limits requests for unknown slugs per address", async () => {
  const before = dispatch.rest.resolved.length;
  const { passed, refused } = await exhaust();
  expect(dispatch.rest.resolved.length - before).toBe(passed);
  expect(passed).toBeGreaterThanOrEqual(BURST);
  expect(passed).toBeLessThan(2 * BURST);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(errorBody.parse(await refused.json()).error.code).toBe("limit_exceeded");
});

test("counts all addresses of an IPv6 network together", async () => {
  const { passed } = await exhaust((call) => address.replace(/1$/, (call + 1).toString(16)));
  expect(passed).toBeLessThan(2 * BURST);
});

test("limits concurrent requests too", async () => {
  const before = dispatch.rest.resolved.length;
  const answers = await Promise.all(Array.from({ length: 2 * BURST }, () => status(madeUp())));
  expect(answers.filter((answer) => answer === 404).length).toBe(dispatch.rest.resolved.length - before);
  // One token may return meanwhile.
  expect(dispatch.rest.resolved.length - before).toBeLessThan(2 * BURST);
});

test("does not limit other addresses, or requests for known tenants", async () => {
  const [seen, unseen] = [known(), known()];
  expect(await status(seen)).toBe(200);
  await exhaust();
  expect(await status(seen)).toBe(200);
  expect(await status(unseen, "192.0.2.1")).toBe(200);
  // Now this isolate knows it too.
  expect(await status(unseen)).toBe(200);
});

test("does not count existing tenants, or concurrent requests for one of them", async () => {
  for (let call = 0; call < BURST + 5; call += 1) expect(await status(known())).toBe(200);
  const slug = known();
  const answers = await Promise.all(Array.from({ length: BURST + 5 }, () => status(slug)));
  expect(new Set(answers)).toEqual(new Set([200]));
});
