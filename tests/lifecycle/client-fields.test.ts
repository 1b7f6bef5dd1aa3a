/** Optional fields of a client in a stack file: canary and maintenance window. */
import { expect, test } from "vitest";
import * as z from "zod";
import type { Edge } from "#local/edge.ts";
import { changedResources } from "../testing/engine.ts";
import { call, loggedIn } from "../testing/http.ts";
import { platformSettings, stackOf, temporaryPlatform } from "../testing/platform.ts";
import { sql } from "../testing/sql.ts";

const DASHBOARD = "dash.tenantry.localhost";
const WINDOW = { days: [6, 7], start: "02:00", hours: 4, timeZone: "Europe/Berlin" };
const NO_WINDOW = {
  maintenance_days: null,
  maintenance_start: null,
  maintenance_hours: null,
  maintenance_zone: null,
};

const settings = (fields: object) =>
  platformSettings([], {
    "tenantry:clients": [{ slug: "acme", name: "Acme", plan: "basic", status: "active", ...fields }],
  });

async function fieldsOf(edge: Edge): Promise<unknown> {
  const [row] = await sql(
    edge,
    `select is_canary, maintenance_days, maintenance_start::text, maintenance_hours, maintenance_zone
     from tenantry.clients where slug = 'acme'`,
  );
  return row;
}

/** Changes the client in the dashboard. */
async function edited(edge: Edge, change: object): Promise<{ status: number; code: unknown }> {
  const [row] = z.array(z.object({ id: z.string() })).parse(await sql(edge, "select id from tenantry.clients"));
  const { status, body } = await call(edge, DASHBOARD, "/client/update", {
    method: "PUT",
    headers: { ...(await loggedIn(edge, "root@tenantry.example", DASHBOARD)), "content-type": "application/json" },
    body: JSON.stringify({ id: row?.id, ...change }),
  });
  const { error } = z.object({ error: z.object({ code: z.string() }).optional() }).parse(JSON.parse(body));
  return { status, code: error?.code };
}

test("are unchanged while the file does not name them, and follow it while it does", async () => {
  const edge = await temporaryPlatform();
  const stack = await stackOf(edge, settings({}));
  await stack.up();
  expect(await fieldsOf(edge)).toEqual({ is_canary: false, ...NO_WINDOW });

  await sql(edge, "update tenantry.clients set is_canary = true where slug = 'acme'");
  expect(await changedResources(stack, "preview")).toEqual([]);
  expect(await changedResources(stack, "refresh")).toEqual([]);

  await stackOf(edge, settings({ canary: false, maintenanceWindow: WINDOW }));
  expect(await changedResources(stack, "up")).toEqual(["update DatabaseRecord client-acme"]);
  const declared = {
    is_canary: false,
    maintenance_days: [6, 7],
    maintenance_start: "02:00:00",
    maintenance_hours: 4,
    maintenance_zone: "Europe/Berlin",
  };
  expect(await fieldsOf(edge)).toEqual(declared);
  expect(await changedResources(stack, "preview")).toEqual([]);
  expect(await changedResources(stack, "refresh")).toEqual([]);
  expect(await edited(edge, { canary: true })).toEqual({ status: 409, code: "managed_by_git" });
  expect(await edited(edge, { maintenance_window: null })).toEqual({ status: 409, code: "managed_by_git" });

  await sql(edge, "update tenantry.clients set maintenance_hours = 5 where slug = 'acme'");
  expect(await changedResources(stack, "refresh")).toEqual(["update DatabaseRecord client-acme"]);
  expect(await changedResources(stack, "up")).toEqual(["update DatabaseRecord client-acme"]);
  expect(await fieldsOf(edge)).toEqual(declared);

  await stackOf(edge, settings({ maintenanceWindow: null }));
  expect(await changedResources(stack, "up")).toEqual(["update DatabaseRecord client-acme"]);
  expect(await fieldsOf(edge)).toEqual({ is_canary: false, ...NO_WINDOW });

  await stackOf(edge, settings({}));
  expect(await changedResources(stack, "up")).toEqual([]);
});
