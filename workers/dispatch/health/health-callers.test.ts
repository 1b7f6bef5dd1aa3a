/** The caller of the public health paths, as the tenant receives it. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { type DispatchUnderTest, DOMAIN, INVALIDATE_TOKEN, startDispatch, tenant } from "../testing/start-dispatch.ts";

const BURST = 120;

let dispatch: DispatchUnderTest;
beforeEach(async () => {
  dispatch = await startDispatch();
  for (const slug of ["acme", "globex"]) dispatch.rest.tenants.set(slug, tenant(slug));
  dispatch.rest.roles.set("acme ada@acme.test", "BASE_USER");
  dispatch.rest.roles.set("acme root@platform.test", "ROOT");
});
afterEach(() => dispatch?.stop());

const health = (headers: Record<string, string>, slug = "acme") =>
  dispatch.fetch(`${slug}.${DOMAIN}`, "/api/health", { headers });
/** Returns what the tenant received. */
async function callerOf(headers: Record<string, string>, slug = "acme") {
  const response = await health(headers, slug);
  const seen = (await response.json()) as { headers: Record<string, string> };
  return { status: response.status, caller: seen.headers["x-platform-caller"], ...seen };
}
const token = (email = "ada@acme.test", slug = "acme") =>
  dispatch.access.token({ email, aud: [`audience-of-${slug}`] });
/** Returns a token that the Worker has verified: an unknown one may time out on a busy machine. */
async function knownToken(email?: string) {
  const jwt = await token(email);
  const page = await dispatch.fetch(`acme.${DOMAIN}`, "/", { headers: { "cf-access-jwt-assertion": jwt } });
  await page.arrayBuffer();
  expect(page.status).toBe(200);
  return jwt;
}
const platform = { authorization: `Bearer ${INVALIDATE_TOKEN}` };

test("is a user by header or cookie, the platform by its token, and otherwise anonymous", async () => {
  expect(await callerOf({})).toMatchObject({ status: 200, caller: "anonymous" });
  const jwt = await knownToken();
  expect(await callerOf({ "cf-access-jwt-assertion": jwt })).toMatchObject({ status: 200, caller: "user" });
  const byCookie = await callerOf({ cookie: `CF_Authorization=planted; mine=1; CF_Authorization=${jwt}` });
  expect(byCookie).toMatchObject({ caller: "user", headers: { cookie: "mine=1" } });
  expect(byCookie.headers).not.toHaveProperty("x-platform-role");
  const polled = await callerOf(platform);
  expect(polled.caller).toBe("platform");
  expect(JSON.stringify(polled)).not.toContain(INVALIDATE_TOKEN);
});

test("is set by the platform only, and on health paths only", async () => {
  expect((await callerOf({ "x-platform-caller": "platform" })).caller).toBe("anonymous");
  const session = { "cf-access-jwt-assertion": await token(), "x-platform-caller": "platform" };
  const page = await dispatch.fetch(`acme.${DOMAIN}`, "/", { headers: session });
  expect(((await page.json()) as { headers: object }).headers).not.toHaveProperty("x-platform-caller");
});

test("is anonymous with an invalid token, one for another tenant, or one of no user, and never refused", async () => {
  const now = Math.floor(Date.now() / 1000);
  const tokens = [
    "rubbish",
    "a.b.c",
    await token("nobody@acme.test"),
    await token("ada@acme.test", "globex"),
    await dispatch.access.token({ email: "ada@acme.test", aud: ["audience-of-acme"], exp: now - 1 }),
    await dispatch.access.token({ email: "ada@acme.test", aud: ["audience-of-acme"] }, { kid: "made-up" }),
  ];
  for (const one of tokens) {
    expect(await callerOf({ "cf-access-jwt-assertion": one })).toMatchObject({ status: 200, caller: "anonymous" });
  }
  expect(await callerOf({ authorization: "Bearer wrong" })).toMatchObject({ status: 200, caller: "anonymous" });
});

test("is anonymous while keys or database do not respond", async () => {
  expect((await callerOf({})).status).toBe(200);
  dispatch.access.setAnswer("never");
  const headers = { "cf-access-jwt-assertion": await token() };
  const guarded = dispatch.fetch(`acme.${DOMAIN}`, "/", { headers });
  const first = await Promise.race([guarded.then(() => "guarded"), callerOf(headers).then(({ caller }) => caller)]);
  expect(first).toBe("anonymous");
  expect((await guarded).status).toBe(503);
});

test("does not use the others' rate limits", async () => {
  const jwt = await knownToken();
  const other = { "cf-access-jwt-assertion": await knownToken("root@platform.test") };
  const statuses = async (headers: Record<string, string>, calls: number) => {
    const answers = await Promise.all(Array.from({ length: calls }, () => health(headers)));
    await Promise.all(answers.map((answer) => answer.arrayBuffer()));
    return answers.map((answer) => answer.status);
  };
  expect(await statuses({}, BURST + 40)).toContain(429);
  expect(new Set(await statuses({ "cf-access-jwt-assertion": jwt }, BURST - 20))).toEqual(new Set([200]));
  expect(await statuses({ "cf-access-jwt-assertion": jwt }, 80)).toContain(429);
  expect(new Set(await statuses(other, 10))).toEqual(new Set([200]));
  expect(new Set(await statuses(platform, 2 * BURST))).toEqual(new Set([200]));
});
