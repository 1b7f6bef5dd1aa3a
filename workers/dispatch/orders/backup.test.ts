import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type DispatchUnderTest, DOMAIN, INVALIDATE_TOKEN, startDispatch, tenant } from "../testing/start-dispatch.ts";

const HOST = `_dispatch.${DOMAIN}`;
const bearer = { authorization: `Bearer ${INVALIDATE_TOKEN}` };

let dispatch: DispatchUnderTest;
beforeAll(async () => {
  dispatch = await startDispatch();
}, 120_000);
afterAll(() => dispatch?.stop());
beforeEach(() => {
  dispatch.rest.resolved.length = 0;
});

const order = (slug: string, headers: Record<string, string> = bearer) =>
  dispatch.fetch(HOST, `/_backup/${slug}`, { method: "POST", headers });

describe("POST /_backup/:slug", () => {
  test.each([
    ["is running", "running"],
    ["is frozen", "frozen"],
  ] as const)(
    "reaches the Worker of a tenant that %s, with room for a backup and without the database",
    async (_, state) => {
      dispatch.rest.tenants.set("acme", tenant("acme", { billing_plan: "free", instance_status: state }));
      const answer = await order("acme");
      expect(answer.status).toBe(200);
      const reached = (await answer.json()) as { headers: Record<string, string> };
      expect(reached).toMatchObject({
        worker: "tenant-acme",
        method: "POST",
        url: `https://tenant-acme.${DOMAIN}/api/internal/backup`,
        limits: { cpuMs: 90_000, subRequests: 1000 },
      });
      expect(JSON.stringify(reached)).not.toContain(INVALIDATE_TOKEN);
      expect(dispatch.rest.resolved).toEqual([]);
    },
  );

  test("returns 404 for a tenant without a Worker", async () => {
    const answer = await order("missing");
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ error: { code: "tenant_not_found" } });
  });

  test("requires the token", async () => {
    for (const authorization of [
      "",
      "Bearer",
      "Bearer wrong",
      `Basic ${INVALIDATE_TOKEN}`,
      `Bearer ${INVALIDATE_TOKEN}x`,
    ]) {
      expect((await order("acme", { authorization })).status).toBe(401);
    }
    expect((await order("not%20a%20slug")).status).toBe(400);
  });

  test("does not exist for other methods", async () => {
    const answer = await dispatch.fetch(HOST, "/_backup/acme", { headers: bearer });
    expect(answer.status).toBe(404);
  });

  test("is logged without the token", async () => {
    await order("acme");
    await expect
      .poll(() => dispatch.logs.filter((line) => line.includes('"outcome":"backup_ordered"')).at(-1))
      .toContain('"tenant":"acme"');
    expect(dispatch.logs.join("\n")).not.toContain(INVALIDATE_TOKEN);
  });
});

test("names a tenant's Worker of version 0.1, which lacks the path, and does not take its response for a missing backup", async () => {
  const methods = {
    channels: "PUT",
    "provider-keys": "PUT",
    inbox: "GET",
    "inbox-drop": "POST",
    "inbox-export": "GET",
    sleep: "POST",
  };
  const bodies: Readonly<Record<string, object>> = {
    channels: { sealed: [] },
    "provider-keys": { sealed: [] },
    "inbox-drop": { all: true },
    sleep: {},
  };
  for (const [name, method] of Object.entries(methods)) {
    const body = bodies[name] && JSON.stringify(bodies[name]);
    const answer = await dispatch.fetch(HOST, `/_${name}/old`, { method, headers: bearer, ...(body && { body }) });
    expect([name, answer.status, await answer.json()]).toMatchObject([
      name,
      409,
      { error: { reason: "tenant_without_order" } },
    ]);
  }
  const backup = await dispatch.fetch(HOST, "/_backups/old", { headers: bearer });
  expect([backup.status, await backup.json()]).toMatchObject([404, { error: { code: "not_found" } }]);
});
