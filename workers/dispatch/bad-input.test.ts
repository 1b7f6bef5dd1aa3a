/** Malformed tokens and slugs through HTTP: no one is admitted, and nothing breaks. */
import fc from "fast-check";
import { exportSPKI, importJWK, SignJWT } from "jose";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { isSlug } from "#domain/names/slug.ts";
import { errorBody } from "#workers/contracts/errors.ts";
import { dispatchedRestore } from "#workers/contracts/tenant/backup.ts";
import { type DispatchUnderTest, DOMAIN, INVALIDATE_TOKEN, startDispatch, tenant } from "./testing/start-dispatch.ts";

let dispatch: DispatchUnderTest;
let good: string;
const ada = { email: "ada@acme.test", aud: ["audience-of-acme"] };

beforeAll(async () => {
  dispatch = await startDispatch();
  dispatch.rest.tenants.set("acme", tenant("acme"));
  dispatch.rest.roles.set("acme ada@acme.test", "ADMIN");
  good = await dispatch.access.token(ada);
});
afterAll(() => dispatch?.stop());
/** Afterwards the tenant's user is still served. */
afterEach(async () => expect(await statusWith({ "cf-access-jwt-assertion": good })).toBe(200));

async function statusWith(headers: Record<string, string>, path = "/"): Promise<number> {
  const response = await dispatch.fetch(`acme.${DOMAIN}`, path, { headers });
  await response.body?.cancel();
  return response.status;
}

describe("a token", () => {
  test.each(["HS256", "HS384", "HS512"])("signed by %s with any form of the public key is refused", async (alg) => {
    const jwk = dispatch.access.publicKey();
    const pem = await exportSPKI((await importJWK(jwk, "RS256", { extractable: true })) as CryptoKey);
    const der = Buffer.from(pem.replace(/-----[^-]+-----|\s/g, ""), "base64");
    const texts = [pem, pem.trim(), `${pem}\n`, JSON.stringify(jwk), jwk.n ?? "", "", "secret"];
    const secrets = [...texts.map((text) => Buffer.from(text)), der, Buffer.from(jwk.n ?? "", "base64url")];
    for (const secret of secrets.filter(({ length }) => length > 0)) {
      const token = await new SignJWT({ ...ada, iss: dispatch.access.issuer })
        .setProtectedHeader({ alg, kid: jwk.kid ?? "" })
        .setExpirationTime("1h")
        .sign(secret);
      expect(await statusWith({ "cf-access-jwt-assertion": token })).toBe(403);
    }
  });

  test.each([
    ["names no key", { kid: undefined }],
    ["names another key", { kid: "key-0" }],
    ["names its key by number", { kid: 1 }],
    ["names an algorithm of the other kind", { alg: "PS256" }],
    ["demands what nobody knows", { crit: ["made-up"], "made-up": true }],
  ])("whose header %s is refused", async (_name, change) => {
    const [head = "", payload = "", signature = ""] = good.split(".");
    const header = { ...JSON.parse(Buffer.from(head, "base64url").toString()), ...change };
    const token = `${Buffer.from(JSON.stringify(header)).toString("base64url")}.${payload}.${signature}`;
    expect(await statusWith({ "cf-access-jwt-assertion": token })).toBe(403);
  });

  test.each([10_000, 60_000, 100_000])("of %d characters is refused, wherever it is", async (length) => {
    const [head = "", payload = ""] = good.split(".");
    for (const token of ["e".repeat(length), `${head}.${payload}.${"A".repeat(length)}`, `${".".repeat(length)}`]) {
      expect([403, 431]).toContain(await statusWith({ "cf-access-jwt-assertion": token }));
      expect([403, 431]).toContain(await statusWith({ cookie: `CF_Authorization=${token}` }));
    }
  });

  test("is found among thousands of cookies", async () => {
    const cookies = Array.from({ length: 3_000 }, (_, index) => `c${index}=${index}`).join("; ");
    expect(await statusWith({ cookie: `${cookies}; CF_Authorization=${good}` })).toBe(200);
    const planted = Array.from({ length: 3_000 }, (_, index) => `CF_Authorization=${index}`).join("; ");
    expect(await statusWith({ cookie: planted })).toBe(403);
  });
});

test("accepts a restore of every valid backup id and body, and refuses all others", async () => {
  const id = fc.oneof(
    fc.constantFrom(
      "b1",
      "",
      "..",
      ".",
      "b1/",
      "b1/more",
      "%2e%2e",
      "b1%00",
      "__proto__",
      "b".repeat(200),
      "b".repeat(201),
    ),
    fc.string({ maxLength: 12 }).map(encodeURIComponent),
  );
  const body = fc.oneof(fc.constant(""), fc.constant("{}"), fc.json(), fc.string({ maxLength: 40 }));
  await fc.assert(
    fc.asyncProperty(id, body, async (given, sent) => {
      const path = `/_restore/acme/${given}`;
      const { pathname } = new URL(path, `https://acme.${DOMAIN}`);
      fc.pre(pathname.startsWith("/_restore/acme/"));
      const order = (token: string) =>
        dispatch.fetch(`acme.${DOMAIN}`, path, {
          method: "POST",
          headers: { authorization: `Bearer ${token}` },
          ...(sent !== "" && { body: sent }),
        });
      const refused = await order("wrong");
      await refused.body?.cancel();
      expect(refused.status).toBe(401);
      const answer = await order(INVALIDATE_TOKEN);
      const isId = /^[\w-]{1,200}$/.test(pathname.slice("/_restore/acme/".length));
      const isBody = sent === "" || dispatchedRestore.safeParse(parsed(sent)).success;
      expect([answer.status, sent]).toEqual([isId && isBody ? 200 : 400, sent]);
      const body = await answer.json();
      if (answer.status !== 200) expect(errorBody.parse(body).error.code).toBe("invalid_request");
    }),
    { numRuns: 200 },
  );
});

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

test("invalidates every valid slug, and refuses all others", async () => {
  const character = fc.constantFrom(..."abz09-_.~AZ%/\\:@!$&'()*+,;=".split(""), "é", "\u212a", " ", "\u0000");
  const slug = fc.oneof(
    fc.constantFrom("", "acme", "ACME", "dash", "dev-dash", "acme-dev", "a".repeat(59), "a".repeat(60), "xn--a", ".."),
    fc.constantFrom(
      "acme/",
      "acme/../globex",
      "%61cme",
      "acme%00",
      "slug:acme",
      "__proto__",
      "constructor",
      "'--",
      "*",
    ),
    fc.array(character, { maxLength: 8 }).map((parts) => parts.join("")),
  );
  await fc.assert(
    fc.asyncProperty(slug, fc.boolean(), async (given, encoded) => {
      const path = `/_invalidate/${encoded ? encodeURIComponent(given) : given}`;
      const { pathname } = new URL(path, `https://acme.${DOMAIN}`);
      fc.pre(pathname.startsWith("/_invalidate/"));
      const ask = (authorization: string) => dispatch.fetch(`acme.${DOMAIN}`, path, { headers: { authorization } });
      const refused = await ask("Bearer wrong");
      await refused.body?.cancel();
      expect(refused.status).toBe(401);
      const answer = await ask(`Bearer ${INVALIDATE_TOKEN}`);
      const named = pathname.slice("/_invalidate/".length);
      expect(answer.status).toBe(isSlug(named) ? 200 : 400);
      const body = await answer.json();
      if (answer.status === 200) expect(body).toMatchObject({ invalidated: named });
      else expect(errorBody.parse(body).error.code).toBe("invalid_request");
    }),
    { numRuns: 200 },
  );
});
