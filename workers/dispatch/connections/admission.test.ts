import type { KVNamespace } from "@cloudflare/workers-types";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Database } from "../tenants/database.ts";
import { Tenants } from "../tenants/tenants.ts";
import { type RestServer, startRestServer } from "../testing/rest-server.ts";
import { tenant } from "../testing/start-dispatch.ts";
import { createAdmission } from "./admission.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const ADA = "ada@acme.test";

let rest: RestServer;
let clock: number;
let tenants: Tenants;
const acme = tenant("acme");

beforeEach(async () => {
  rest = await startRestServer("key");
  rest.tenants.set("acme", acme);
  rest.roles.set(`acme ${ADA}`, "ADMIN");
  clock = Date.now();
  const kv = { get: async () => null, put: async () => {}, delete: async () => {} } as unknown as KVNamespace;
  tenants = new Tenants({
    environment: "production",
    kv,
    database: new Database("production", rest),
    now: () => clock,
  });
  await find();
  await tenants.standing(acme, ADA, keepAlive);
  rest.resolved.length = 0;
});
afterEach(() => rest?.stop());

const keepAlive = () => undefined;
const find = () => tenants.find("acme", async () => undefined, keepAlive);
const user = { email: ADA, role: "ADMIN" } as const;
const admission = (by: typeof user | "stranger" = user) =>
  createAdmission({
    environment: "production",
    tenants,
    tenant: acme,
    user: by === "stranger" ? undefined : by,
    now: () => clock,
  });

const token = (seconds = 3600) =>
  ({ email: ADA, role: "ADMIN", expires_at: Math.floor(clock / 1000) + seconds }) as const;
const serviceAdmission = (expiresAt: number) =>
  createAdmission({
    environment: "production",
    tenants,
    tenant: acme,
    user: { ...user, service: { clientId: "e3678.access", expiresAt } },
    now: () => clock,
  });

describe("an open connection", () => {
  test("is checked when the cached tenant or role expires", () => {
    clock += 59 * SECOND;
    expect(admission().wait()).toBe(SECOND);
    expect(admission("stranger").wait()).toBe(SECOND);
  });

  test.each([
    ["frozen", { ...acme, instance_status: "frozen" as const }],
    ["stopped", { ...acme, instance_status: "stopped" as const }],
    ["of a client that is a draft again", { ...acme, client_status: "draft" as const }],
    ["another instance", tenant("acme")],
    ["nobody's", undefined],
  ])("ends, like the health stream, when its tenant is %s", async (_, now) => {
    const [page, health] = [admission(), admission("stranger")];
    if (now) rest.tenants.set("acme", now);
    else rest.tenants.delete("acme");
    clock += 59 * SECOND;
    expect([await page.holds(keepAlive), await health.holds(keepAlive)]).toEqual([true, true]);
    clock += SECOND;
    expect([await page.holds(keepAlive), await health.holds(keepAlive)]).toEqual([false, false]);
  });

  test("ends when its user is removed or has another role, unlike the health stream", async () => {
    for (const role of [undefined, "BASE_USER"] as const) {
      rest.roles.set(`acme ${ADA}`, "ADMIN");
      clock += MINUTE;
      expect(await admission().holds(keepAlive)).toBe(true);
      rest.roles.delete(`acme ${ADA}`);
      if (role) rest.roles.set(`acme ${ADA}`, role);
      clock += MINUTE;
      expect([await admission().holds(keepAlive), await admission("stranger").holds(keepAlive)]).toEqual([false, true]);
    }
  });

  test("of a service token that the platform does not know ends with its login, or with the tenant", async () => {
    const session = { clientId: "e3678.access", expiresAt: clock + 3 * MINUTE };
    const login = { email: "e3678.access", role: "BASE_USER", service: session } as const;
    await tenants.standing(acme, "e3678.access", keepAlive);
    const service = createAdmission({
      environment: "production",
      tenants,
      tenant: acme,
      user: login,
      now: () => clock,
    });
    expect(service.wait()).toBe(MINUTE);
    clock += 2.5 * MINUTE;
    expect(await service.holds(keepAlive)).toBe(true);
    expect(service.wait()).toBe(MINUTE / 2);
    clock += MINUTE / 2;
    expect([await service.holds(keepAlive), await admission("stranger").holds(keepAlive)]).toEqual([false, true]);
  });

  test.each([
    ["is revoked", () => rest.tokens.delete("acme e3678.access") && rest.tokens.set("x e3678.access", token())],
    ["has a lower role", () => rest.tokens.set("acme e3678.access", { ...token(), role: "BASE_USER" })],
    ["belongs to another user", () => rest.tokens.set("acme e3678.access", { ...token(), email: "eve@acme.test" })],
  ])("of a service token ends when the token %s", async (_, change) => {
    rest.tokens.set("acme e3678.access", token());
    await tenants.standing(acme, "e3678.access", keepAlive);
    const connection = serviceAdmission(clock + 60 * MINUTE);
    clock += MINUTE;
    expect(await connection.holds(keepAlive)).toBe(true);
    change();
    clock += MINUTE;
    expect(await connection.holds(keepAlive)).toBe(false);
  });

  test("of a service token ends when the token expires, also during a database outage", async () => {
    rest.tokens.set("acme e3678.access", token(90));
    await tenants.standing(acme, "e3678.access", keepAlive);
    const connection = serviceAdmission(clock + 90 * SECOND);
    rest.setDown(true);
    clock += MINUTE;
    expect([await connection.holds(keepAlive), connection.wait()]).toEqual([true, 15 * SECOND]);
    clock += 20 * SECOND;
    expect(connection.wait()).toBe(10 * SECOND);
    clock += 10 * SECOND;
    expect(await connection.holds(keepAlive)).toBe(false);
  });

  test("takes one lookup per minute and user, regardless of the number of connections", async () => {
    const many = Array.from({ length: 50 }, () => admission());
    for (let minute = 0; minute < 3; minute += 1) {
      clock += Math.max(...many.map((one) => one.wait()));
      expect(await Promise.all(many.map((one) => one.holds(keepAlive)))).toEqual(many.map(() => true));
    }
    expect(rest.resolved).toEqual(Array(3).fill({ p_slug: "acme", p_email: ADA }));
  });

  test("stays open for at most 15 minutes of a database outage", async () => {
    const [page, health] = [admission(), admission("stranger")];
    rest.setDown(true);
    for (let passed = 0; passed < 14 * MINUTE; passed += MINUTE) {
      clock += MINUTE;
      expect([await page.holds(keepAlive), await health.holds(keepAlive)]).toEqual([true, true]);
      expect(page.wait()).toBe(15 * SECOND);
    }
    // A missing cache entry ends nothing earlier.
    await tenants.forget("acme");
    expect([await page.holds(keepAlive), await health.holds(keepAlive)]).toEqual([true, true]);
    clock += 2 * MINUTE;
    expect([await page.holds(keepAlive), await health.holds(keepAlive)]).toEqual([false, false]);
  });

  test("is checked again when the outage has ended", async () => {
    const page = admission();
    rest.setDown(true);
    clock += 10 * MINUTE;
    expect(await page.holds(keepAlive)).toBe(true);
    rest.setDown(false);
    rest.tenants.set("acme", { ...acme, instance_status: "frozen" });
    clock += page.wait();
    expect(await page.holds(keepAlive)).toBe(false);
  });
});
