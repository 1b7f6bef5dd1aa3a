import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ApiError, tenantClient } from "#index.ts";
import { answering, refusal } from "#testing/answering.ts";

const tenantUrl = "https://acme.example.test";
const api_url = "https://dash.example.test/console/acme/api";
const MINUTE = 60_000;

beforeEach(() => vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] }));
afterEach(() => vi.useRealTimers());

/** A tenant that gives sessions of 15 minutes, and an API that accepts them. */
function platform(accepts: (token: string) => boolean = () => true) {
  const logins: Record<string, string>[] = [];
  const calls: string[] = [];
  const { fetch } = answering(({ method, url, headers }) => {
    if (url === `${tenantUrl}/.tenantry/session`) {
      logins.push({ method, ...headers });
      const expires_at = new Date(Date.now() + 15 * MINUTE).toISOString();
      return Response.json({ token: `session-${logins.length}`, expires_at, api_url });
    }
    calls.push(`${headers.authorization} ${url}`);
    const token = headers.authorization?.replace("Bearer ", "") ?? "";
    return accepts(token) ? Response.json({}) : refusal(401, "authentication_required");
  });
  const client = tenantClient({ tenantUrl, clientId: "id.access", clientSecret: "secret", fetch });
  return { client, logins, calls };
}

test("logs in once with the service token, which the API does not receive", async () => {
  const { client, logins, calls } = platform();
  await Promise.all([client.call("getSession"), client.call("getSession")]);
  await client.call("listConsoleTokens");
  expect(logins).toEqual([
    expect.objectContaining({
      method: "POST",
      "cf-access-client-id": "id.access",
      "cf-access-client-secret": "secret",
    }),
  ]);
  expect(calls).toEqual([
    `Bearer session-1 ${api_url}/session`,
    `Bearer session-1 ${api_url}/session`,
    "Bearer session-1 https://dash.example.test/console/acme/tokens",
  ]);
});

test("renews the session a minute before it expires, once for concurrent calls", async () => {
  const { client, logins } = platform();
  await client.call("getSession");
  vi.setSystemTime(Date.now() + 14 * MINUTE - 1);
  await client.call("getSession");
  expect(logins).toHaveLength(1);
  vi.setSystemTime(Date.now() + 1);
  await Promise.all([client.call("getSession"), client.call("getSession")]);
  expect(logins).toHaveLength(2);
});

test("logs in again when the session is refused, and fails when the next one is, too", async () => {
  const once = platform((token) => token !== "session-1");
  await Promise.all([once.client.call("getSession"), once.client.call("getSession")]);
  expect(once.logins).toHaveLength(2);
  const never = platform(() => false);
  await expect(never.client.call("getSession")).rejects.toMatchObject({ status: 401 });
  expect(never.logins).toHaveLength(2);
});

test("fails with the reason of a refused login, and tries again with the next call", async () => {
  const { fetch, sent } = answering(() => refusal(403, "access_denied"));
  const client = tenantClient({ tenantUrl, clientId: "id.access", clientSecret: "secret", fetch });
  for (const count of [1, 2]) {
    await expect(client.call("getSession")).rejects.toThrow(ApiError);
    expect(sent).toHaveLength(count);
  }
});

test("refuses an answer of the login that is no session", async () => {
  const { fetch } = answering(() => Response.json({ token: 1 }));
  const client = tenantClient({ tenantUrl, clientId: "id.access", clientSecret: "secret", fetch });
  await expect(client.call("getSession")).rejects.toMatchObject({ name: "NoResponseError" });
});
