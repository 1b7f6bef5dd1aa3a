import { raw } from "hono/html";
import { expect, test } from "vitest";
import { PLATFORM_BRAND } from "#workers/contracts/brand.ts";
import { acceptsHtml, pageResponse } from "./answer.ts";

const policyOf = (answer: Response) => (answer.headers.get("content-security-policy") ?? "").split("; ");
const page = (nonce: string) => raw(`<style nonce="${nonce}">`);

test("allows a page its own style sheet and images of the brand's host only", async () => {
  const logo = "https://dash.example.test:8443/logos/1?hash=2";
  const answer = await pageResponse(page, {
    status: 403,
    brand: { ...PLATFORM_BRAND, logo },
    headers: { vary: "Accept", "cache-control": "public" },
  });
  const nonce = /nonce="(.+)"/.exec(await answer.text())?.[1];
  expect(policyOf(answer)).toEqual([
    "default-src 'none'",
    `style-src 'nonce-${nonce}'`,
    "img-src https://dash.example.test:8443/logos/",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ]);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    "cache-control": "no-store",
    "content-type": "text/html; charset=utf-8",
    "referrer-policy": "no-referrer",
    vary: "Accept",
    "x-content-type-options": "nosniff",
  });
  const other = await pageResponse(page, { status: 403, brand: PLATFORM_BRAND });
  expect(await other.text()).not.toContain(nonce);
  expect(policyOf(other).join()).not.toContain("img-src");
});

test("allows a page with a script to call its own host", async () => {
  const answer = await pageResponse(page, { status: 503, brand: PLATFORM_BRAND, hasScript: true, isFramed: true });
  const nonce = /nonce="(.+)"/.exec(await answer.text())?.[1];
  expect(policyOf(answer)).toEqual(
    expect.arrayContaining([`script-src 'nonce-${nonce}'`, "connect-src 'self'", "frame-ancestors 'self'"]),
  );
});

test("omits the body for HEAD, and distinguishes programs from people by Accept", async () => {
  const answer = await pageResponse(page, { status: 503, brand: PLATFORM_BRAND, isHead: true });
  expect([answer.status, await answer.text()]).toEqual([503, ""]);
  expect(acceptsHtml(new Headers({ accept: "text/html,application/xhtml+xml" }))).toBe(true);
  for (const headers of [{}, { accept: "*/*" }, { accept: "application/json" }])
    expect(acceptsHtml(new Headers(headers as HeadersInit))).toBe(false);
});
