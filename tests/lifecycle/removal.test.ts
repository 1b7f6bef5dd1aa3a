import { expect, test } from "vitest";
import { changedResources } from "../testing/engine.ts";
import { platformSettings, stackOf, temporaryEdge } from "../testing/platform.ts";
import { sql } from "../testing/sql.ts";

test("refuses to remove a client with invoices before anything of it is gone, and removes it without them", async () => {
  const edge = await temporaryEdge();
  const stack = await stackOf(edge, platformSettings([{ slug: "acme" }, { slug: "lab" }]));
  await stack.up();
  await sql(
    edge,
    `insert into tenantry.invoices (client_id, period_start, period_end)
     select id, '2026-10-01', '2026-11-01' from tenantry.clients where slug = 'acme'`,
  );
  const before = edge.store.counts();
  const resources = async () => (await stack.exportStack()).deployment.resources;
  const state = await resources();
  await stackOf(edge, platformSettings([{ slug: "lab" }]));
  const refused =
    /clients that cannot be removed; declare them again, or remove what keeps them first:\n +acme: it has invoices/;
  await expect(stack.preview()).rejects.toThrow(refused);
  await expect(stack.up()).rejects.toThrow(refused);
  // Outputs too are as they were.
  expect(await resources()).toEqual(state);
  expect(edge.store.counts()).toEqual(before);
  expect(await sql(edge, "select slug from tenantry.clients order by slug")).toHaveLength(2);

  // Declared again, it is as it was.
  await stackOf(edge, platformSettings([{ slug: "acme" }, { slug: "lab" }]));
  expect(await changedResources(stack, "up")).toEqual([]);

  // A destroy runs no program.
  await expect(stack.destroy()).rejects.toThrow(
    "acme is not removed, nor anything of it: Rows of tenantry.invoices still refer to this row; delete them first.",
  );
  expect(edge.store.counts()).toEqual(before);

  await sql(edge, "delete from tenantry.invoices");
  await stackOf(edge, platformSettings([{ slug: "lab" }]));
  await stack.up();
  expect(edge.store.get("script", "tenants/tenant-acme")).toBeUndefined();
  expect(await sql(edge, "select slug from tenantry.clients")).toEqual([{ slug: "lab" }]);
});
