import { generateKeyPair, SignJWT, UnsecuredJWT } from "jose";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { decodeUser } from "#workers/contracts/platform-headers.ts";
import {
  type DispatchUnderTest,
  DOMAIN,
  INVALIDATE_TOKEN,
  PLATFORM_AUDIENCE,
  startDispatch,
  tenant,
} from "../testing/start-dispatch.ts";

let dispatch: DispatchUnderTest;
let good: string;

beforeAll(async () => {
  dispatch = await startDispatch();
  for (const slug of ["acme", "globex"]) dispatch.rest.tenants.set(slug, tenant(slug));
  dispatch.rest.roles.set("acme ada@acme.test", "ADMIN").set("acme bob@acme.test", "BASE_USER");
  for (const slug of ["acme", "globex"]) dispatch.rest.roles.set(`${slug} root@platform.test`, "ROOT");
});
afterAll(() => dispatch?.stop());
beforeEach(async () => {
  good = await dispatch.access.token({ email: "ada@acme.test", aud: ["audience-of-acme"] });
});

const status = async (headers: Record<string, string>, host = `acme.${DOMAIN}`) => {
  const response = await dispatch.fetch(host, "/", { headers });
  await response.body?.cancel();
  return response.status;
};
const byHeader = (token: string, host?: string) => status({ "cf-access-jwt-assertion": token }, host);
const ada = { email: "ada@acme.test", aud: ["audience-of-acme"] };
const now = () => Math.floor(Date.now() / 1000);

describe("the token's place", () => {
  test("is the header or any cookie of the name", async () => {
    expect(await status({})).toBe(401);
    expect(await byHeader(good)).toBe(200);
    expect(await status({ cookie: `CF_Authorization=${good}` })).toBe(200);
    expect(await status({ cookie: `CF_Authorization=planted; x=y; CF_Authorization=${good}` })).toBe(200);
    expect(await status({ cookie: `CF_Authorization=${good}`, "cf-access-jwt-assertion": "rubbish" })).toBe(200);
    expect(await status({ cookie: `Not_CF_Authorization=${good}` })).toBe(401);
    expect(await status({ authorization: `Bearer ${good}` })).toBe(401);
  });

  test("accepts a valid token after one of another audience", async () => {
    const planted = await dispatch.access.token({ email: "eve@evil.test", aud: ["audience-of-globex"] });
    expect(await status({ cookie: `CF_Authorization=${planted}; CF_Authorization=${good}` })).toBe(200);
  });
});

describe("a service token", () => {
  const service = { email: undefined, common_name: "e3678.access", sub: "" };
  const tokenFor = (aud: string[]) => dispatch.access.token({ ...service, aud } as unknown as typeof ada);

  beforeEach(() => dispatch.rest.tokens.clear());
  const reached = async (clientId: string, host = `acme.${DOMAIN}`, extra: Record<string, string> = {}) => {
    const claims = { ...service, common_name: clientId, aud: [`audience-of-${host.split(".")[0]}`] };
    const jwt = await dispatch.access.token(claims as unknown as typeof ada);
    const response = await dispatch.fetch(host, "/", { headers: { "cf-access-jwt-assertion": jwt, ...extra } });
    const body = (await response.json()) as { headers?: Record<string, string>; error?: { reason: string } };
    return { status: response.status, ...body };
  };
  const inSeconds = (seconds: number) => now() + seconds;

  test("of a user has the user's name, its own role and no secret, and its use is recorded", async () => {
    dispatch.rest.tokens.set("acme a1.access", { email: ada.email, role: "BASE_USER", expires_at: inSeconds(60) });
    const secrets = { "cf-access-client-id": "A1.access", "cf-access-client-secret": "s3cret" };
    const { headers = {} } = await reached("A1.access", undefined, secrets);
    expect(headers).toMatchObject({ "x-platform-role": "BASE_USER" });
    expect(decodeUser(headers["x-platform-user"] ?? "")).toBe(ada.email);
    expect(JSON.stringify(headers)).not.toMatch(/s3cret|a1\.access/i);
    await expect.poll(() => dispatch.rest.touched).toEqual(["a1.access"]);
  });

  test("of a user is refused after its end, at another tenant, and when it is not valid", async () => {
    dispatch.rest.tokens.set("acme a2.access", { email: ada.email, role: "ADMIN", expires_at: inSeconds(-1) });
    dispatch.rest.tokens.set("acme a3.access", { email: ada.email, role: "ADMIN", expires_at: inSeconds(60) });
    const refused = { status: 403, error: { reason: "service_token_refused" } };
    expect(await reached("a2.access")).toMatchObject(refused);
    expect(await reached("a3.access", `globex.${DOMAIN}`)).toMatchObject(refused);
    expect((await reached("a3.access")).status).toBe(200);
    // A former role in the cache does not outlive the token.
    dispatch.rest.tokens.set("globex a3.access", { email: ada.email, role: "ADMIN", expires_at: inSeconds(60) });
    dispatch.rest.tokens.delete("acme a3.access");
    await (
      await dispatch.fetch(`_dispatch.${DOMAIN}`, "/_invalidate/acme", {
        headers: { authorization: `Bearer ${INVALIDATE_TOKEN}` },
      })
    ).body?.cancel();
    expect(await reached("a3.access")).toMatchObject(refused);
  });

  test("that the platform did not create opens the tenant of its policy with the lowest role, and no other", async () => {
    const headers = { "cf-access-jwt-assertion": await tokenFor(["audience-of-acme"]) };
    expect((await reached("e3678.access")).headers).toMatchObject({
      "x-platform-role": "BASE_USER",
      "x-platform-user": "e3678.access",
    });
    expect(await status(headers, `globex.${DOMAIN}`)).toBe(403);
    expect(await status({ cookie: `CF_Authorization=${headers["cf-access-jwt-assertion"]}` }, `globex.${DOMAIN}`)).toBe(
      403,
    );
  });

  test("of the platform's application opens no tenant", async () => {
    for (const slug of ["acme", "globex"])
      expect(await byHeader(await tokenFor([PLATFORM_AUDIENCE]), `${slug}.${DOMAIN}`)).toBe(403);
  });

  test("gets no role of a user with its name", async () => {
    dispatch.rest.roles.set("acme e3678.access", "ROOT");
    const headers = { "cf-access-jwt-assertion": await tokenFor(["audience-of-acme"]) };
    const response = await dispatch.fetch(`acme.${DOMAIN}`, "/", { headers });
    expect(await response.json()).toMatchObject({ headers: { "x-platform-role": "BASE_USER" } });
  });
});

describe("a token is refused", () => {
  test("for another tenant, at each of them", async () => {
    expect(await byHeader(good, `globex.${DOMAIN}`)).toBe(403);
    expect(await byHeader(await dispatch.access.token({ email: ada.email, aud: [] }))).toBe(403);
  });

  test.each([
    ["of another issuer", () => ({ iss: "https://elsewhere.test" })],
    ["that is not valid yet", () => ({ nbf: now() + 600 })],
    ["without an e-mail", () => ({ email: undefined })],
    ["without an audience", () => ({ aud: undefined })],
    ["that never expires", () => ({ exp: undefined })],
  ])("%s", async (_name, claims) => {
    expect(await byHeader(await dispatch.access.token({ ...ada, ...claims() } as { email: string }))).toBe(403);
  });

  test("when it has expired, with a request to log in again", async () => {
    expect(await byHeader(await dispatch.access.token({ ...ada, exp: now() - 1 }))).toBe(401);
  });

  test("that is unsigned, or signed with the public key as a shared secret", async () => {
    const claims = { ...ada, iss: dispatch.access.issuer };
    const none = new UnsecuredJWT(claims).setExpirationTime("1h").encode();
    expect(await byHeader(none)).toBe(403);
    const secret = new TextEncoder().encode(JSON.stringify(dispatch.access.publicKey()));
    const { kid } = dispatch.access.publicKey();
    const confused = await new SignJWT(claims)
      .setProtectedHeader({ alg: "HS256", kid: kid ?? "" })
      .setExpirationTime("1h")
      .sign(secret);
    expect(await byHeader(confused)).toBe(403);
  });

  test("that is malformed, changed or too large", async () => {
    const [header = "", payload = "", signature = ""] = good.split(".");
    const forged = Buffer.from(
      JSON.stringify({ ...ada, email: "root@platform.test", iss: dispatch.access.issuer, exp: now() + 60 }),
    );
    const tokens = [
      "x",
      "a.b.c",
      `${header}.${forged.toString("base64url")}.${signature}`,
      `${header}.${payload}.`,
      "e".repeat(10_000),
    ];
    for (const token of tokens) expect([token.slice(0, 20), await byHeader(token)]).toEqual([token.slice(0, 20), 403]);
  });

  test("of a user without a role", async () => {
    expect(await byHeader(await dispatch.access.token({ ...ada, email: "stranger@acme.test" }))).toBe(403);
  });
});

describe("the platform's audience", () => {
  test("admits roots at every tenant, and no one else", async () => {
    const root = await dispatch.access.token({ email: "root@platform.test", aud: [PLATFORM_AUDIENCE] });
    expect(await byHeader(root)).toBe(200);
    expect(await byHeader(root, `globex.${DOMAIN}`)).toBe(200);
    expect(await byHeader(await dispatch.access.token({ ...ada, aud: [PLATFORM_AUDIENCE] }))).toBe(403);
  });
});

describe("roles", () => {
  test("never cross users", async () => {
    const roleOf = async (email: string) => {
      const token = await dispatch.access.token({ ...ada, email });
      const response = await dispatch.fetch(`acme.${DOMAIN}`, "/", { headers: { "cf-access-jwt-assertion": token } });
      return ((await response.json()) as { headers: Record<string, string> }).headers["x-platform-role"];
    };
    const emails = ["ada@acme.test", "bob@acme.test", "root@platform.test"];
    const roles = await Promise.all(Array.from({ length: 30 }, (_, index) => roleOf(emails[index % 3] ?? "")));
    expect(roles).toEqual(Array.from({ length: 30 }, (_, index) => ["ADMIN", "BASE_USER", "ROOT"][index % 3]));
  });
});

test("sends the tenant the verified e-mail address only", async () => {
  const token = await dispatch.access.token({ ...ada, email: "zoë%@acme.test" });
  dispatch.rest.roles.set("acme zoë%@acme.test", "BASE_USER");
  const headers = {
    "cf-access-jwt-assertion": token,
    "x-platform-user": "root@platform.test",
    "x-platform-ticket": "x",
  };
  const response = await dispatch.fetch(`acme.${DOMAIN}`, "/", { headers });
  const { headers: sent } = (await response.json()) as { headers: Record<string, string> };
  expect(decodeUser(sent["x-platform-user"] ?? "")).toBe("zoë%@acme.test");
  expect(sent["x-platform-ticket"]).toBeUndefined();
});

describe("keys", () => {
  let own: DispatchUnderTest;
  const enter = async (token: string) => {
    const response = await own.fetch(`acme.${DOMAIN}`, "/", { headers: { "cf-access-jwt-assertion": token } });
    await response.body?.cancel();
    return response.status;
  };

  beforeEach(async () => {
    own = await startDispatch();
    own.rest.tenants.set("acme", tenant("acme"));
    own.rest.roles.set("acme ada@acme.test", "ADMIN");
  });
  afterEach(() => own?.stop());

  test("accepts a token of a new key at once, with one fetch for concurrent requests", async () => {
    expect(await enter(await own.access.token(ada))).toBe(200);
    await own.access.rotate("ES256");
    const before = own.access.fetches();
    const fresh = await own.access.token(ada);
    expect(await Promise.all(Array.from({ length: 50 }, () => enter(fresh)))).toEqual(Array(50).fill(200));
    expect(own.access.fetches()).toBe(before + 1);
  });

  test("limits fetches for unknown key ids", async () => {
    const start = Date.now();
    for (let index = 0; index < 60; index += 1) {
      expect(await enter(await own.access.token(ada, { kid: `made-up-${index}` }))).toBe(403);
    }
    // The first one, a burst of five, and one for each elapsed second.
    expect(own.access.fetches()).toBeLessThanOrEqual(6 + Math.ceil((Date.now() - start) / 1000));
    expect(await enter(await own.access.token(ada))).toBe(200);
  });

  test("refuses new users with a retry time while keys cannot be fetched", async () => {
    own.access.setDown(true);
    const headers = { "cf-access-jwt-assertion": await own.access.token(ada) };
    const refused = await own.fetch(`acme.${DOMAIN}`, "/", { headers });
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "5"]);
    own.access.setDown(false);
    expect((await own.fetch(`acme.${DOMAIN}`, "/", { headers })).status).toBe(200);
    own.access.setDown(true);
    expect((await own.fetch(`acme.${DOMAIN}`, "/", { headers })).status).toBe(200);
  });
});

test("refuses a token signed by a key that Access has not served", async () => {
  const { privateKey } = await generateKeyPair("RS256");
  const { kid } = dispatch.access.publicKey();
  const token = await new SignJWT({ ...ada, iss: dispatch.access.issuer })
    .setProtectedHeader({ alg: "RS256", kid: kid ?? "" })
    .setExpirationTime("1h")
    .sign(privateKey);
  expect(await byHeader(token)).toBe(403);
});
