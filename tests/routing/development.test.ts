import { expect, test } from "vitest";
import { addDemoUsers } from "#local/start/demo.ts";
import { call, loggedIn } from "../testing/http.ts";
import { platformSettings, stackOf, temporaryEdge } from "../testing/platform.ts";
import { sql } from "../testing/sql.ts";

const ACME = "acme-dev.tenantry.localhost";
const DASH = "dev-dash.tenantry.localhost";
const page = { accept: "text/html" };

test("deploys a development platform under names of its own, and routes by the instance's status", async () => {
  const edge = await temporaryEdge();
  const stack = await stackOf(edge, {
    ...platformSettings([{ slug: "acme", status: "draft" }]),
    "tenantry:environment": "development",
  });
  await stack.up();
  const names = edge.store.list("script").map(({ id }) => id);
  expect(names.toSorted()).toEqual(["tenantry-dashboard-dev", "tenantry-dispatch-dev", "tenants-dev/tenant-acme-dev"]);
  expect(edge.store.get("bucket", "tenantry-backups-acme-dev")).toBeDefined();

  const headers = { ...page, ...(await loggedIn(edge, "root@tenantry.example", DASH)) };
  const dashboard = await call(edge, DASH, "/client", { headers });
  expect(JSON.parse(dashboard.body)).toMatchObject({
    data: [{ slug: "acme", instance: { environment: "development" } }],
  });
  await addDemoUsers(edge);
  await expect(edge.access.issue("ada@acme.example", ACME)).resolves.toBeTypeOf("string");

  // Production hosts do not exist here.
  expect((await call(edge, "acme.tenantry.localhost", "/api/health")).status).toBe(404);

  const health = async (status: string) => {
    await sql(edge, "update tenantry.instances set status = $1", [status]);
    const { invalidateToken } = await stack.outputs();
    const authorization = `Bearer ${String(invalidateToken?.value)}`;
    await call(edge, "_dispatch-dev.tenantry.localhost", "/_invalidate/acme", { headers: { authorization } });
    return call(edge, ACME, "/api/health?passive=1");
  };
  // Its client is a draft, which production would refuse.
  expect((await health("running")).status).toBe(200);
  const stopped = await health("stopped");
  expect(stopped.status).toBe(403);
  expect(JSON.parse(stopped.body).error.code).toBe("instance_stopped");

  await stack.destroy();
  expect(edge.store.list("bucket")).toEqual([]);
});
