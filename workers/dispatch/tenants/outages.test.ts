/** Dependencies of dispatch are slow or return malformed responses: known users are served, no others are admitted, and nothing hangs. */
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { resolvedTenant, TENANT_ENTRY_VERSION } from "#workers/contracts/tenant-entry.ts";
import { type DispatchUnderTest, DOMAIN, startDispatch, tenant } from "../testing/start-dispatch.ts";

let dispatch: DispatchUnderTest;
const ada = { email: "ada@acme.test", aud: ["audience-of-acme"] };

beforeEach(async () => {
  dispatch = await startDispatch();
  dispatch.rest.tenants.set("acme", tenant("acme"));
  dispatch.rest.roles.set("acme ada@acme.test", "ADMIN");
});
afterEach(() => dispatch?.stop());

let asked = 0;
async function ask(slug: string, path: string, token?: string) {
  asked += 1;
  const headers: Record<string, string> = {
    // Each from its own address, to stay below the rate limit per address.
    "cf-connecting-ip": `192.0.2.${asked % 250}`,
    ...(token !== undefined && { "cf-access-jwt-assertion": token }),
  };
  const response = await dispatch.fetch(`${slug}.${DOMAIN}`, path, { headers });
  return { status: response.status, retryAfter: response.headers.get("retry-after"), body: await response.text() };
}
const UNAVAILABLE = { status: 503, retryAfter: "5" };

describe("a REST layer", () => {
  test("that never responds: serves a recently known tenant, and asks others to retry", async () => {
    const known = dispatch.rest.tenants.get("acme");
    const readAt = Date.now() - 5 * 60_000;
    await (await dispatch.kv()).put("slug:acme", JSON.stringify({ v: TENANT_ENTRY_VERSION, tenant: known, readAt }));
    const release = dispatch.rest.hold();
    const [served, refused] = await Promise.all([ask("acme", "/api/health"), ask("globex", "/api/health")]);
    expect(served.status).toBe(200);
    expect(refused).toMatchObject(UNAVAILABLE);
    release();
  });

  test("that returns malformed records counts as down", async () => {
    const record = dispatch.rest.tenants.get("acme") ?? {};
    const whole = fc.record({ tenant: fc.constant(record), role: fc.constantFrom("ROOT", "ADMIN", null) });
    const key = fc.constantFrom(...Object.keys(record));
    const damaged = fc.tuple(whole, key, fc.jsonValue()).map(([answer, name, value]) => ({
      ...answer,
      tenant: { ...answer.tenant, [name]: value },
    }));
    const rubbish = fc.oneof(
      damaged.map((value) => JSON.stringify(value)),
      fc.tuple(whole, fc.jsonValue()).map(([answer, role]) => JSON.stringify({ ...answer, role })),
      fc.json(),
      fc.constantFrom("", "null", "[]", "<html>", '{"tenant":', '{"message":"no","code":"42501"}'),
    );
    const token = await dispatch.access.token({ ...ada, email: "mallory@acme.test" });
    let slugs = 0;
    await fc.assert(
      fc.asyncProperty(rubbish, async (text) => {
        fc.pre(!isResolved(text));
        dispatch.rest.setAnswer(text);
        // Another slug each time, so that nothing is cached.
        slugs += 1;
        const answer = await ask(`t${slugs}`, "/", token);
        expect(answer).toMatchObject(UNAVAILABLE);
        expect(answer.body).not.toMatch(/zod|invalid_type|expected/i);
      }),
      { numRuns: 100 },
    );
    // A valid record, but of another tenant.
    dispatch.rest.setAnswer(JSON.stringify({ tenant: record, role: "ROOT" }));
    expect(await ask("globex", "/", token)).toMatchObject(UNAVAILABLE);
    dispatch.rest.setAnswer(undefined);
    expect((await ask("acme", "/", await dispatch.access.token(ada))).status).toBe(200);
  });
});

const isResolved = (text: string): boolean => {
  try {
    return resolvedTenant.safeParse(JSON.parse(text)).success;
  } catch {
    return false;
  }
};

describe("Access's keys", () => {
  test.each(["never", "", "null", "{}", '{"keys":[]}', '{"keys":[{}]}', "<html>"])(
    "that arrive as %j admit no one until valid ones arrive",
    async (answer) => {
      const token = await dispatch.access.token(ada);
      dispatch.access.setAnswer(answer);
      expect(await ask("acme", "/", token)).toMatchObject(UNAVAILABLE);
      expect((await ask("acme", "/api/health")).status).toBe(200);
      dispatch.access.setAnswer(undefined);
      await expect.poll(async () => (await ask("acme", "/", token)).status, { timeout: 40_000 }).toBe(200);
    },
  );

  test("of an unsuitable kind are not used", async () => {
    const { kid } = dispatch.access.publicKey();
    dispatch.access.setAnswer(JSON.stringify({ keys: [{ kty: "oct", k: "c2VjcmV0", kid, alg: "HS256" }] }));
    expect((await ask("acme", "/", await dispatch.access.token(ada))).status).toBe(403);
  });
});
