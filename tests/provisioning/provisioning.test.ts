/** A tenant's lifecycle by the API only: the dashboard writes rows and jobs, and the automation service runs the engine. */

import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { ACCOUNT_ID } from "#local/account.ts";
import { ADOPT_BUCKETS_VARIABLE } from "#stack/settings/run-flags.ts";
import { call, callUntil, loggedIn } from "../testing/http.ts";
import { bucketAlone, deployedTenant, ProvisionedPlatform, ROOT } from "./testing/provisioned-platform.ts";

let platform: ProvisionedPlatform;
beforeAll(async () => {
  platform = await ProvisionedPlatform.open();
});
afterAll(() => platform?.close());

const bucketOf = (slug: string) => `tenantry-backups-${slug}`;

test("provisions, changes, moves and removes a client's instance, and provisions it again with its bucket", async () => {
  const client = await platform.newClient("acme");
  const asked = await platform.provision(client.id);
  expect(asked).toMatchObject({ status: "provisioning", managed_by: "dashboard", ai_gateway: { id: "pool-a" } });
  const provisioned = await platform.ended(asked.job?.id);
  expect(provisioned).toMatchObject({ status: "succeeded", cause: null, progress: 100, attempts: 1 });
  const done = provisioned.events.flatMap(({ step }) =>
    step?.phase === "done" ? [`${step.operation} ${step.type}`] : [],
  );
  for (const type of ["R2Bucket", "ZeroTrustAccessApplication", "DatabaseRecord", "NamespacedScript"]) {
    expect(done).toContain(`create ${type}`);
  }
  expect(await platform.instance(asked.id)).toMatchObject({ status: "running", state_cause: null });
  const host = "acme.tenantry.localhost";
  const entered = await call(platform.edge, host, "/", {
    headers: { accept: "text/html", ...(await loggedIn(platform.edge, ROOT, host)) },
  });
  expect([entered.status, entered.body.includes("ROOT")]).toEqual([200, true]);
  expect(await platform.heldOf("acme")).toEqual(deployedTenant("acme"));

  const changed = await platform.ended((await platform.changePlan(asked.id, "enterprise")).job?.id);
  expect(changed).toMatchObject({ kind: "change_plan", status: "succeeded" });
  expect(changed.events.map(({ message }) => message)).toContainEqual(
    expect.stringMatching(/^update NamespacedScript acme: done/),
  );

  const moved = await platform.ended((await platform.assignGateway(asked.id, "tenantry-acme")).id);
  expect(moved).toMatchObject({ kind: "assign_gateway", status: "succeeded", cause: null });
  expect(await platform.instance(asked.id)).toMatchObject({
    status: "running",
    ai_gateway: { id: "tenantry-acme", pool_id: null },
  });
  expect((await platform.heldOf("acme")).gateways).toEqual(["tenantry-acme"]);

  const rotated = await platform.ended((await platform.rotateToken(asked.id)).id);
  expect(rotated).toMatchObject({ kind: "rotate_token", status: "succeeded", cause: null });
  const replaced = rotated.events.flatMap(({ step }) =>
    step?.phase === "done" ? [`${step.operation} ${step.resource}`] : [],
  );
  expect(replaced).toContain("replace acme-gateway-token");
  expect(replaced).not.toContain("replace acme-cdp-secret");
  // Its gateway has started with the new one.
  await callUntil(
    async () =>
      call(platform.edge, host, "/", {
        headers: { accept: "text/html", ...(await loggedIn(platform.edge, ROOT, host)) },
      }),
    ({ status, body }) => status === 200 && body.includes("ROOT"),
  );

  const stopped = await platform.remove(asked.id);
  expect(stopped.status).toBe("stopped");
  const removed = await platform.ended(stopped.job?.id);
  expect(removed).toMatchObject({ kind: "deprovision", status: "succeeded", instance_id: null });
  // In production backups are retained.
  expect(await platform.heldOf("acme")).toEqual(bucketAlone("acme"));

  const again = await platform.provision(client.id);
  expect(await platform.ended(again.job?.id)).toMatchObject({ status: "succeeded", cause: null });
  expect((await platform.instance(again.id)).status).toBe("running");
});

test("gives another client the retained bucket of a slug, in the dashboard and in Git, if an operator chooses so", async () => {
  const client = await platform.newClient("phoenix");
  const first = await platform.provision(client.id);
  expect(await platform.ended(first.job?.id)).toMatchObject({ status: "succeeded", cause: null });
  const kept = await platform.backUp(first.id);
  await platform.deleteNow(client.id, first.id);
  expect(await platform.heldOf("phoenix")).toEqual(bucketAlone("phoenix"));

  const successor = await platform.newClient("phoenix", "pro");
  const refused = await platform.ended((await platform.provision(successor.id)).job?.id);
  expect(refused.cause).toMatch(/tenantry-backups-phoenix holds the backups of an earlier client .*“Use kept backups”/);
  const second = await platform.provision(successor.id, { use_kept_backups: true });
  expect(await platform.ended(second.job?.id)).toMatchObject({ status: "succeeded", cause: null });
  expect(await platform.instance(second.id)).toMatchObject({ status: "running", billing_plan: "pro" });
  expect(await platform.heldOf("phoenix")).toEqual(deployedTenant("phoenix"));
  expect((await platform.backups(second.id)).map(({ id }) => id)).toContain(kept);
  const bindings = platform.edge.store.get("script", "tenants/tenant-phoenix")?.bindings;
  expect(JSON.stringify(bindings)).toContain("phoenix~2");

  await platform.deleteNow(successor.id, second.id);
  const stack = await platform.tenantStack("phoenix", "enterprise");
  await expect(stack.up()).rejects.toThrow(/phoenix: the bucket .* TENANTRY_ADOPT_BUCKETS=phoenix/);
  vi.stubEnv(ADOPT_BUCKETS_VARIABLE, "phoenix");
  onTestFinished(() => void vi.unstubAllEnvs());
  await stack.up();
  expect(await platform.heldOf("phoenix")).toEqual(deployedTenant("phoenix"));
});

test("continues after the service is killed, and loses, repeats and leaves nothing", async () => {
  const client = await platform.newClient("killed");
  // Kinds of which the account has one, and two.
  const killed = platform.killedAtEach(["ai_gateway", "api_token", "access_policy", "access_application"]);
  const asked = await platform.provision(client.id, { ai_gateway_id: "tenantry-killed" });
  // A run that cannot delete what it created ends the job early.
  const early = platform.ended(asked.job?.id);
  early.catch(() => undefined);
  await Promise.race([killed, early]);
  const ended = await platform.ended(asked.job?.id);
  expect(ended).toMatchObject({ status: "succeeded", cause: null });
  expect(ended.attempts).toBeGreaterThan(1);
  expect((await platform.instance(asked.id)).status).toBe("running");
  expect(await platform.heldOf("killed")).toEqual(deployedTenant("killed", ["tenantry-killed"]));
});

test("two replicas share the work, each tenant at one of them, and one completes a killed one's work", async () => {
  await platform.startService();
  const slugs = ["left", "right", "centre"];
  const asked = await Promise.all(
    slugs.map(async (slug) =>
      platform.provision((await platform.newClient(slug)).id, { ai_gateway_id: `tenantry-${slug}` }),
    ),
  );
  // Requested while the first is in progress: it waits.
  const changed = await platform.changePlan(asked[0]?.id ?? "", "enterprise");
  await platform.reached(asked[0]?.job?.id ?? "", 30);
  platform.killService();
  for (const one of asked) {
    expect(await platform.ended(one.job?.id)).toMatchObject({ status: "succeeded", cause: null });
    expect((await platform.instance(one.id)).status).toBe("running");
  }
  const [first, second] = [await platform.ended(asked[0]?.job?.id), await platform.ended(changed.job?.id)];
  expect(second).toMatchObject({ kind: "change_plan", status: "succeeded" });
  expect(Date.parse(second.started_at ?? "")).toBeGreaterThanOrEqual(Date.parse(first.ended_at ?? ""));
  for (const slug of slugs) {
    expect(await platform.heldOf(slug)).toEqual(deployedTenant(slug, [`tenantry-${slug}`]));
  }
});

test("a failure leaves the instance in error with cause and remedy, and a retry keeps its binding", async () => {
  // Of a former customer.
  await platform.cloudflare.r2.buckets.create({ account_id: ACCOUNT_ID, name: bucketOf("broken") });
  const client = await platform.newClient("broken");
  const asked = await platform.provision(client.id, { ai_gateway_id: "tenantry-broken" });
  const failed = await platform.ended(asked.job?.id);
  expect(failed).toMatchObject({ status: "failed", attempts: 1 });
  expect(failed.cause).toContain("empty and delete the bucket");
  const left = await platform.instance(asked.id);
  expect(left).toMatchObject({ status: "error", ai_gateway: asked.ai_gateway });
  expect(left.state_cause).toContain("create the instance again");

  await platform.cloudflare.r2.buckets.delete(bucketOf("broken"), { account_id: ACCOUNT_ID });
  const again = await platform.provision(client.id);
  expect(again).toMatchObject({ id: asked.id, ai_gateway: asked.ai_gateway });
  expect(await platform.ended(again.job?.id)).toMatchObject({ status: "succeeded" });
  expect((await platform.instance(asked.id)).status).toBe("running");
});

test("a canceled failure leaves nothing: deletes a dedicated gateway and keeps a pooled one", async () => {
  await platform.cloudflare.r2.buckets.create({ account_id: ACCOUNT_ID, name: bucketOf("undone") });
  const client = await platform.newClient("undone");
  const asked = await platform.provision(client.id, { ai_gateway_id: "tenantry-undone" });
  expect(await platform.ended(asked.job?.id)).toMatchObject({ status: "failed" });
  expect(await platform.ended((await platform.remove(asked.id)).job?.id)).toMatchObject({ status: "succeeded" });
  // The bucket belongs to the other customer.
  expect(await platform.heldOf("undone")).toEqual(bucketAlone("undone"));
  expect((await platform.heldOf("pool")).gateways).toEqual(["pool-a"]);
  // Its stack never created the row.
  expect(await platform.refused("GET", `/client/instance/${asked.id}`)).toMatchObject({ code: "not_found" });
  const again = await platform.provision(client.id);
  expect(again.id).not.toBe(asked.id);
  expect((await platform.ended(again.job?.id)).cause).toContain("empty and delete the bucket");
});
