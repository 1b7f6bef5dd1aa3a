import { expect, test } from "vitest";
import { platformSettings, stackOf, temporaryPlatform } from "../testing/platform.ts";
import { sql } from "../testing/sql.ts";

test("deletes a removed client, and keeps its billing records", async () => {
  const edge = await temporaryPlatform();
  const stack = await stackOf(edge, platformSettings([{ slug: "acme" }, { slug: "lab" }]));
  await stack.up();
  const before = edge.store.counts();
  await sql(
    edge,
    `insert into tenantry.invoices (client_id, period_start, period_end)
     select id, '2026-10-01', '2026-11-01' from tenantry.clients where slug = 'acme'`,
  );
  // Resources of the platform depend on no resources of a client.
  await sql(edge, "create table tenantry.contracts (client_id uuid references tenantry.clients (id))");
  await sql(edge, "insert into tenantry.contracts select id from tenantry.clients where slug = 'acme'");
  // Destroy does not run the program.
  await expect(stack.destroy()).rejects.toThrow(
    "acme was not removed, and nothing has changed. Other records still refer to it. Remove them first.",
  );
  expect(edge.store.counts()).toEqual(before);
  await sql(edge, "drop table tenantry.contracts");

  await stackOf(edge, platformSettings([{ slug: "lab" }]));
  await stack.up();
  expect(edge.store.get("script", "tenants/tenant-acme")).toBeUndefined();
  expect(await sql(edge, "select slug from tenantry.clients")).toEqual([{ slug: "lab" }]);
  const books =
    "select a.slug, a.closed_at is not null as closed from tenantry.invoices v join tenantry.billing_accounts a on a.id = v.client_id";
  expect(await sql(edge, books)).toEqual([{ slug: "acme", closed: true }]);
});
