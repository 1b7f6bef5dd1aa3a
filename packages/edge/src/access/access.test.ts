import { createHash, createHmac, createPrivateKey, X509Certificate } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { createLocalJWKSet, decodeJwt, type JSONWebKeySet, jwtVerify, SignJWT, UnsecuredJWT } from "jose";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  ACME,
  authorize,
  BETA,
  ISSUER,
  outcome,
  putApplication,
  putPolicy,
  putTenant,
  startTestAccess,
  type TestAccess,
} from "./testing/test-access.ts";

let running: TestAccess;
beforeEach(async () => {
  running = await startTestAccess();
  putTenant(running.store, "acme", ["ada@acme.example", "both@acme.example"]);
  putTenant(running.store, "beta", ["bob@beta.example", "both@acme.example"]);
});
afterEach(() => running.stop());

const token = (host = "acme.tenantry.localhost", email = "ada@acme.example") => running.access.issue(email, host);
const cookie = (...tokens: string[]) => ({ cookie: tokens.map((value) => `CF_Authorization=${value}`).join("; ") });

async function certs(): Promise<
  JSONWebKeySet & { public_cert: unknown; public_certs: { kid: string; cert: string }[] }
> {
  return (await running.access.fetch(new Request(`${ISSUER}/cdn-cgi/access/certs`))).json();
}

/** The server's signing key, for tokens that differ in one claim. */
async function signingKey() {
  const [current] = JSON.parse(await readFile(join(running.directory, "access/signing-keys.json"), "utf8"));
  return { kid: String(current.kid), key: createPrivateKey(String(current.privateKey)) };
}

async function forged(claims: Record<string, unknown>, header: { kid?: string; alg?: string } = {}): Promise<string> {
  const { kid, key } = await signingKey();
  const now = Math.floor(Date.now() / 1000);
  const valid = {
    aud: ["aud-acme"],
    email: "ada@acme.example",
    iss: ISSUER,
    type: "app",
    sub: "x",
    iat: now,
    nbf: now,
    exp: now + 60,
  };
  return new SignJWT({ ...valid, ...claims }).setProtectedHeader({ alg: "RS256", kid, ...header }).sign(key);
}

describe("tokens", () => {
  test("verify with the published keys, which match their certificates", async () => {
    const published = await certs();
    const { payload } = await jwtVerify(await token(), createLocalJWKSet(published), {
      issuer: ISSUER,
      audience: "aud-acme",
    });
    expect(payload.email).toBe("ada@acme.example");
    expect(published.public_certs.map(({ kid }) => kid)).toEqual(published.keys.map(({ kid }) => kid));
    expect(published.public_cert).toEqual(published.public_certs[0]);
    const certificate = new X509Certificate(published.public_certs[0]?.cert ?? "");
    expect(certificate.verify(certificate.publicKey)).toBe(true);
    expect(certificate.publicKey.export({ format: "jwk" }).n).toBe(published.keys[0]?.n);
  });

  test("are accepted as a cookie and in the header of `cloudflared`", async () => {
    const jwt = await token();
    expect(await authorize(running.access, ACME, cookie(jwt))).toEqual({ kind: "pass", jwt });
    expect(await authorize(running.access, ACME, { "cf-access-token": jwt })).toEqual({ kind: "pass", jwt });
  });

  test("of another application are refused", async () => {
    expect(await outcome(running.access, BETA, cookie(await token()))).toBe(302);
    expect(
      await outcome(running.access, BETA, cookie(await token("acme.tenantry.localhost", "both@acme.example"))),
    ).toBe(302);
  });

  test("are found after a cookie that a sibling host set", async () => {
    const neighbours = await token("beta.tenantry.localhost", "bob@beta.example");
    const jwt = await token();
    expect(await authorize(running.access, ACME, cookie("rubbish", neighbours, jwt))).toEqual({ kind: "pass", jwt });
  });

  test("have a stable subject for each address", async () => {
    expect(decodeJwt(await token()).sub).toBe(decodeJwt(await token()).sub);
    expect(decodeJwt(await token()).sub).not.toBe(
      decodeJwt(await token("beta.tenantry.localhost", "bob@beta.example")).sub,
    );
  });

  const seconds = () => Math.floor(Date.now() / 1000);
  test.each<[string, () => Promise<string>]>([
    ["another audience", () => forged({ aud: ["aud-beta"] })],
    ["another issuer", () => forged({ iss: "http://evil.localhost" })],
    ["a past expiry", () => forged({ exp: seconds() - 1 })],
    ["no expiry", () => forged({ exp: undefined })],
    ["a later start", () => forged({ nbf: seconds() + 60 })],
    ["another type", () => forged({ type: "org" })],
    ["no email", () => forged({ email: undefined })],
    ["an unknown key id", () => forged({}, { kid: "0".repeat(64) })],
    ["another algorithm of the same key", () => forged({}, { alg: "PS256" })],
    ["no signature", async () => new UnsecuredJWT(decodeJwt(await token())).encode()],
    [
      "the signature of another token",
      async () => `${(await token()).split(".").slice(0, 2).join(".")}.${(await forged({ sub: "y" })).split(".")[2]}`,
    ],
    [
      "HS256 by the public key",
      async () => {
        const { kid, key } = await signingKey();
        const pem = new X509Certificate((await certs()).public_certs[0]?.cert ?? "").publicKey.export({
          type: "spki",
          format: "pem",
        });
        expect(
          createHash("sha256")
            .update(
              new X509Certificate((await certs()).public_certs[0]?.cert ?? "").publicKey.export({
                type: "spki",
                format: "der",
              }),
            )
            .digest("hex"),
        ).toBe(kid);
        expect(key.type).toBe("private");
        const header = Buffer.from(JSON.stringify({ alg: "HS256", kid })).toString("base64url");
        const body = `${header}.${(await token()).split(".")[1]}`;
        return `${body}.${createHmac("sha256", pem).update(body).digest("base64url")}`;
      },
    ],
  ])("with %s are refused", async (_, make) => {
    expect(await outcome(running.access, ACME, cookie(await forged({})))).toBe("pass");
    expect(await outcome(running.access, ACME, cookie(await make()))).toBe(302);
  });
});

describe("keys", () => {
  test("keep verifying with the previous key after a rotation, but not with older keys", async () => {
    const jwt = await token();
    await running.access.rotateKeys();
    const second = await token();
    const published = await certs();
    expect(published.keys).toHaveLength(2);
    expect(published.keys[0]?.kid).not.toBe(published.keys[1]?.kid);
    for (const each of [jwt, second]) {
      await jwtVerify(each, createLocalJWKSet(published), { issuer: ISSUER, audience: "aud-acme" });
      expect(await outcome(running.access, ACME, cookie(each))).toBe("pass");
    }
    await running.access.rotateKeys();
    expect(await outcome(running.access, ACME, cookie(jwt))).toBe(302);
    expect(await outcome(running.access, ACME, cookie(second))).toBe("pass");
  });

  test("survive a restart in a private file", async () => {
    const jwt = await token();
    expect(await outcome(await running.reopen(), ACME, cookie(jwt))).toBe("pass");
    expect((await stat(join(running.directory, "access/signing-keys.json"))).mode & 0o777).toBe(0o600);
    expect((await stat(join(running.directory, "access"))).mode & 0o777).toBe(0o700);
  });
});

describe("requests from pages of other hosts", () => {
  const upgrade = { upgrade: "websocket", connection: "Upgrade" };

  test.each<[string, string, Record<string, string>, number | "pass"]>([
    ["a POST from the same origin", "POST", { origin: ACME }, "pass"],
    ["a POST from a sibling host", "POST", { origin: BETA }, 403],
    ["a POST from a sandboxed page", "POST", { origin: "null" }, 403],
    ["a POST from the same host on another port", "POST", { origin: "http://acme.tenantry.localhost:9999" }, 403],
    ["a DELETE without an origin from the same site", "DELETE", { "sec-fetch-site": "same-site" }, 403],
    ["a POST of an API client without an origin", "POST", {}, "pass"],
    ["a WebSocket from the same origin", "GET", { ...upgrade, origin: ACME }, "pass"],
    ["a WebSocket from a sibling host", "GET", { ...upgrade, origin: BETA }, 403],
    ["a navigation from a sibling host", "GET", { "sec-fetch-site": "same-site" }, "pass"],
  ])("%s", async (_, method, headers, expected) => {
    expect(await outcome(running.access, `${ACME}/x`, { ...cookie(await token()), ...headers }, method)).toBe(expected);
  });

  test("are accepted with a token in a header", async () => {
    expect(await outcome(running.access, ACME, { "cf-access-token": await token(), origin: BETA }, "POST")).toBe(
      "pass",
    );
  });
});

describe("hosts and API clients", () => {
  test("an unprotected host needs no token", async () => {
    expect(await authorize(running.access, "http://free.tenantry.localhost:8787/")).toEqual({ kind: "pass" });
  });

  test("an API client gets 401 if the application sets it, otherwise a redirect", async () => {
    putApplication(running.store, "acme", "acme.tenantry.localhost", ["allow-acme"], {
      service_auth_401_redirect: true,
    });
    const decision = await authorize(running.access, ACME);
    expect(decision.kind === "respond" && decision.response.status).toBe(401);
    expect(decision.kind === "respond" && decision.response.headers.get("cf-access-aud")).toBe("aud-acme");
    expect(await outcome(running.access, BETA, { accept: "application/json" })).toBe(302);
  });

  test("`issue` rejects an address that policy refuses, and an unprotected host", async () => {
    await expect(running.access.issue("bob@beta.example", "acme.tenantry.localhost")).rejects.toThrow(
      "bob@beta.example is refused by the Access policies of acme.tenantry.localhost.",
    );
    await expect(running.access.issue("bob@beta.example", "free.localhost")).rejects.toThrow(
      "No Access application protects free.localhost.",
    );
    await expect(running.access.issue("bob", "acme.tenantry.localhost")).rejects.toThrow(
      '"bob" is not an email address.',
    );
  });

  test.each([
    ["30m", undefined, 1800],
    ["1h30m", undefined, 5400],
    ["24h", "15m", 900],
    ["forever", undefined, 86_400],
    ["0s", undefined, 1],
  ])(
    "with application session %s and policy session %s, a token is valid for %i seconds",
    async (ofApplication, ofPolicy, expected) => {
      putApplication(running.store, "acme", "acme.tenantry.localhost", ["allow-acme"], {
        session_duration: ofApplication,
      });
      const include = [{ everyone: {} }];
      putPolicy(
        running.store,
        "allow-acme",
        ofPolicy === undefined ? { include } : { include, session_duration: ofPolicy },
      );
      const { exp = 0, iat = 0 } = decodeJwt(await token());
      expect(exp - iat).toBe(expected);
    },
  );

  test("the log has no email addresses and no tokens", async () => {
    await outcome(running.access, BETA, cookie(await token()));
    await outcome(running.access, ACME);
    expect(running.logged.length).toBeGreaterThan(0);
    expect(JSON.stringify(running.logged)).not.toMatch(/ada|eyJ/);
  });
});
