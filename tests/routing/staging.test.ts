import { expect, test } from "vitest";
import { healthSnapshot } from "#workers/contracts/tenant/health-snapshot.ts";
import { call, callUntil, loggedIn } from "../testing/http.ts";
import { environmentSettings, stackOf, temporaryEdge } from "../testing/platform.ts";
import { sql } from "../testing/sql.ts";

const ACME = "acme-staging.tenantry.localhost";
const DASHBOARD = "staging-dash.tenantry.localhost";
const page = { accept: "text/html" };

test("admits only root users to staging's tenants through Access", async () => {
  const edge = await temporaryEdge();
  const stack = await stackOf(edge, environmentSettings("staging", [{ slug: "acme" }]));
  await stack.up();
  const { invalidateToken } = await stack.outputs();
  await callUntil(
    () => call(edge, ACME, "/api/health"),
    ({ body }) => healthSnapshot.parse(JSON.parse(body)).startup.ok,
  );

  expect((await call(edge, ACME, "/", { headers: page })).status).toBe(302);
  const root = await call(edge, ACME, "/", {
    headers: { ...page, ...(await loggedIn(edge, "root@tenantry.example", ACME)) },
  });
  expect([root.status, root.body.includes("ROOT")]).toEqual([200, true]);
  await expect(loggedIn(edge, "ada@acme.example", ACME)).rejects.toThrow(/refused/);

  // The Worker refuses a user of the tenant whom Access would admit.
  await sql(
    edge,
    `with member as (
       insert into tenantry.client_users (client_id, email, role, status, validated_at)
       select id, 'ada@acme.example', 'ADMIN', 'validated', now() from tenantry.clients returning id, client_id)
     insert into tenantry.client_user_instances (client_user_id, instance_id)
     select m.id, i.id from member m join tenantry.instances i on i.client_id = m.client_id`,
  );
  const [group] = edge.store.list("access_group").filter(({ name }) => name === "Tenantry tenants-staging");
  if (group === undefined) throw new Error("no group");
  edge.store.put("access_group", { ...group, include: [{ email: { email: "ada@acme.example" } }] });
  const ada = await call(edge, ACME, "/", { headers: await loggedIn(edge, "ada@acme.example", ACME) });
  expect([ada.status, JSON.parse(ada.body).error.code]).toEqual([403, "access_denied"]);

  // A partner root of staging is a member of its dashboard only.
  const [members] = edge.store.list("access_group").filter(({ name }) => name === `Members of ${DASHBOARD}`);
  if (members === undefined) throw new Error("no members");
  const peter = "peter@globex.example";
  edge.store.put("access_group", { ...members, include: [...members.include, { email: { email: peter } }] });
  await loggedIn(edge, peter, DASHBOARD);
  await expect(loggedIn(edge, peter, ACME)).rejects.toThrow(/refused/);

  // The platform's own requests need its token instead of a login.
  const order = (headers: Record<string, string>) =>
    call(edge, "_dispatch-staging.tenantry.localhost", "/_invalidate/acme", { headers });
  expect((await order({})).status).toBe(401);
  expect((await order({ authorization: `Bearer ${String(invalidateToken?.value)}` })).status).toBe(200);
});
