import { decodeJwt } from "jose";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  ACME,
  BETA,
  Browser,
  ISSUER,
  putGroup,
  putTenant,
  startTestAccess,
  type TestAccess,
} from "./testing/test-access.ts";

let running: TestAccess;
let browser: Browser;
beforeEach(async () => {
  running = await startTestAccess();
  putTenant(running.store, "acme", ["ada@acme.example"]);
  putTenant(running.store, "beta", ["bob@beta.example"]);
  browser = new Browser(running.access);
});
afterEach(() => running.stop());

test("redirects a browser without a token to the login, with headers that name the application", async () => {
  const decision = await browser.open(`${ACME}/page?a=1`);
  if (decision.kind === "pass") throw new Error("passed");
  expect(decision.response.status).toBe(302);
  const location = new URL(decision.response.headers.get("location") ?? "");
  expect(`${location.origin}${location.pathname}`).toBe(`${ISSUER}/cdn-cgi/access/login/acme.tenantry.localhost`);
  expect(location.searchParams.get("redirect_url")).toBe("/page?a=1");
  expect(decision.response.headers.get("cf-access-aud")).toBe("aud-acme");
  const page = await browser.visit(location.href);
  expect(page.status).toBe(200);
  const text = await page.text();
  expect(text).toContain("asks for no password");
  expect(text).not.toContain("ada@acme.example");
});

test("sets a host-only cookie and returns to the requested page after the form", async () => {
  const answer = await browser.submit(`${ACME}/page?a=1`, " Ada@ACME.example ");
  const finished = await browser.visit(answer.headers.get("location") ?? "");
  expect(finished.status).toBe(302);
  expect(finished.headers.get("location")).toBe(`${ACME}/page?a=1`);
  const cookie = finished.headers.get("set-cookie") ?? "";
  expect(cookie).toMatch(/^CF_Authorization=[\w.-]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=86400$/);
  const decision = await browser.open(`${ACME}/page`);
  expect(decision.kind).toBe("pass");
  const claims = decodeJwt(decision.kind === "pass" ? (decision.jwt ?? "") : "");
  expect(claims).toMatchObject({
    aud: ["aud-acme"],
    email: "ada@acme.example",
    iss: ISSUER,
    type: "app",
    country: "XX",
  });
  expect((claims.exp ?? 0) - (claims.iat ?? 0)).toBe(86_400);
  for (const claim of ["sub", "identity_nonce", "nbf"]) expect(claims).toHaveProperty(claim);
});

test("shows a refused address how to use another one, without setting a token", async () => {
  const answer = await browser.submit(`${ACME}/`, "eve@evil.example");
  expect(answer.status).toBe(403);
  const text = await answer.text();
  expect(text).toContain("eve@evil.example");
  expect(text).toContain("use another address");
  expect(answer.headers.get("location")).toBeNull();
});

test("refuses a removed member at the next request, and admits the member again when added", async () => {
  await browser.logIn(`${ACME}/`, "ada@acme.example");
  expect((await browser.open(ACME)).kind).toBe("pass");
  putGroup(running.store, "group-acme", []);
  const decision = await browser.open(ACME);
  expect(decision.kind === "respond" && decision.response.status).toBe(403);
  expect(decision.kind === "respond" && (await decision.response.text())).toContain("ada@acme.example");
  putGroup(running.store, "group-acme", [{ email: { email: "Ada@Acme.example" } }]);
  expect((await browser.open(ACME)).kind).toBe("pass");
});

test("returns the identity until the logout", async () => {
  expect((await browser.visit(`${ACME}/cdn-cgi/access/get-identity`)).status).toBe(401);
  await browser.logIn(`${ACME}/`, "ada@acme.example");
  const identity = await (await browser.visit(`${ACME}/cdn-cgi/access/get-identity`)).json();
  expect(identity).toMatchObject({ email: "ada@acme.example", idp: { type: "local" } });
  expect((await browser.visit(`${ACME}/cdn-cgi/access/logout`)).status).toBe(200);
  expect((await browser.open(ACME)).kind).toBe("respond");
});

describe("one-time token", () => {
  test("works once", async () => {
    const link = (await browser.submit(`${ACME}/`, "ada@acme.example")).headers.get("location") ?? "";
    expect((await browser.visit(link)).status).toBe(302);
    expect((await browser.visit(link)).status).toBe(403);
  });

  test("is invalidated by a use on another host", async () => {
    await browser.open(BETA);
    const link = (await browser.submit(`${ACME}/`, "ada@acme.example")).headers.get("location") ?? "";
    const elsewhere = await browser.visit(link.replace("acme.", "beta."));
    expect(elsewhere.status).toBe(403);
    expect(elsewhere.headers.get("set-cookie")).toBeNull();
    expect((await browser.visit(link)).status).toBe(403);
  });

  test("does not log in another browser", async () => {
    const link = (await browser.submit(`${ACME}/`, "ada@acme.example")).headers.get("location") ?? "";
    const victim = new Browser(running.access);
    await victim.open(ACME);
    expect((await victim.visit(link)).status).toBe(403);
    expect(victim.cookie(ACME)).not.toContain("CF_Authorization");
  });

  test("does not log in when policy has changed", async () => {
    const link = (await browser.submit(`${ACME}/`, "ada@acme.example")).headers.get("location") ?? "";
    putGroup(running.store, "group-acme", []);
    expect((await browser.visit(link)).status).toBe(403);
  });
});

describe("login page", () => {
  const page = `${ISSUER}/cdn-cgi/access/login/acme.tenantry.localhost`;
  const id = "b".repeat(43);
  const form = (redirect: string) =>
    new URLSearchParams({ email: "ada@acme.example", browser: id, redirect_url: redirect });

  test.each([
    "https://evil.example/",
    "//evil.example/",
    "/\\evil.example",
    "/.//evil.example",
    "javascript:alert(1)",
    "\t//evil.example",
  ])("never redirects to another host: %j", async (redirect) => {
    const cookie = `CF_AppSession=${id}`;
    const answer = await browser.visit(page, { method: "POST", body: form(redirect) });
    const finished = await browser.visit(answer.headers.get("location") ?? "", { headers: { cookie } });
    expect(finished.status).toBe(302);
    expect(new URL(finished.headers.get("location") ?? "").origin).toBe(ACME);
  });

  test("refuses a form from another host", async () => {
    for (const headers of [{ origin: BETA }, { origin: "null" }, { "sec-fetch-site": "same-site" }]) {
      expect((await browser.visit(page, { method: "POST", body: form("/"), headers })).status).toBe(403);
    }
  });

  test("escapes parameters", async () => {
    const answer = await browser.visit(
      `${page}?browser=${id}&redirect_url=${encodeURIComponent('/"><script>alert(1)</script>')}`,
    );
    expect(answer.status).toBe(200);
    expect(await answer.text()).not.toContain("<script>");
    expect(answer.headers.get("content-security-policy")).toContain("default-src 'none'");
  });

  test("rejects an invalid email address", async () => {
    const body = new URLSearchParams({ email: "ada", browser: id, redirect_url: "/" });
    const answer = await browser.visit(page, { method: "POST", body });
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain("not an email address");
  });

  test("does not exist for an unprotected host, and on application hosts", async () => {
    const query = `?browser=${id}&redirect_url=/`;
    expect((await browser.visit(`${ISSUER}/cdn-cgi/access/login/free.tenantry.localhost${query}`)).status).toBe(404);
    expect((await browser.visit(`${ISSUER}/cdn-cgi/access/login/%zz${query}`)).status).toBe(404);
    expect((await browser.visit(`${ACME}/cdn-cgi/access/login/acme.tenantry.localhost${query}`)).status).toBe(404);
  });
});

test("refuses a form that exceeds the limit before the end of the body", async () => {
  let sent = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      sent += 1;
      if (sent > 1_000) controller.close();
      else controller.enqueue(new Uint8Array(10_000).fill(97));
    },
  });
  const request = new Request(`${ISSUER}/cdn-cgi/access/login/acme.tenantry.localhost`, {
    method: "POST",
    body,
    duplex: "half",
  } as RequestInit);
  expect((await running.access.fetch(request)).status).toBe(413);
  expect(sent).toBeLessThan(10);
});
