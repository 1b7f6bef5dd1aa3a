/** Moves a running tenant from the dashboard to Git and back. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parseDocument } from "yaml";
import * as z from "zod";
import { scratchRepository } from "#fleet/testing/repository.ts";
import { ProvisionedPlatform } from "../provisioning/testing/provisioned-platform.ts";
import { rolledOut } from "../testing/container-rollout.ts";
import { killTree } from "../testing/engine.ts";
import { sql } from "../testing/sql.ts";
import { killFleets, reportOf, runFleet, startFleet } from "./testing/fleet-run.ts";

let platform: ProvisionedPlatform;
beforeAll(async () => {
  platform = await ProvisionedPlatform.open();
});
afterAll(async () => {
  killFleets();
  await platform?.close();
});

const rowsOf = async (slug: string) =>
  (
    await sql(
      platform.edge,
      `select c.managed_by as client, i.managed_by as instance, c.billing_plan as plan, split_part(c.owner, '::', 1) as owner
       from tenantry.clients c join tenantry.instances i on i.client_id = c.id where c.slug = $1`,
      [slug],
    )
  )[0];

/** Blocks a job by locking its row. @returns releases it */
async function hold(jobId: string): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: platform.edge.databaseUrl });
  await client.connect();
  await client.query("begin");
  const open = await client.query("select from tenantry.jobs where id = $1 and ended_at is null for update", [jobId]);
  expect(open.rowCount, "the job has ended already").toBe(1);
  return () => client.end();
}

/** Resources of a tenant in the account, which change if anything is recreated. */
function held(slug: string) {
  const { store } = platform.edge;
  const named = (text: string) => text.includes(slug);
  return {
    counts: store.counts(),
    token: store
      .list("api_token")
      .filter(({ name }) => named(name))
      .map(({ id }) => id),
    script: store.get("script", `tenants/tenant-${slug}`),
    containers: JSON.stringify(store.list("container_application").filter(({ name }) => named(name))),
  };
}

test("adopts a dashboard tenant into a file, and releases it to the dashboard again", async () => {
  const { edge } = platform;
  const client = await platform.newClient("acme");
  const asked = await platform.provision(client.id);
  expect(await platform.ended(asked.job?.id)).toMatchObject({ status: "succeeded", cause: null });
  await platform.ended((await platform.rotateToken(asked.id)).id);
  const before = held("acme");
  const repository = scratchRepository();
  const tenants = ["--tenants", repository.directory];
  const file = join(repository.directory, "Pulumi.production-acme.yaml");

  // A handwritten file with the dashboard's values.
  const config = {
    "tenantry:platformStack": "whole",
    "tenantry:clients": [{ slug: "acme", name: "Mine", plan: "free" }],
  };
  repository.write("production-acme", `config: ${JSON.stringify(config)}\n`);
  const early = await reportOf(edge, ["preview", ...tenants]);
  expect(early.stacks[0]?.fault).toContain("npm run fleet -- adopt acme");
  const earlyUp = await reportOf(edge, ["up", ...tenants]);
  expect(earlyUp.stacks[0]?.fault).toContain("npm run fleet -- adopt acme");
  const other = await runFleet(edge, ["adopt", "acme", ...tenants]);
  expect(other).toMatchObject({ code: 1 });
  expect(other.progress).toContain("does not match the tenant");
  expect(await rowsOf("acme")).toMatchObject({ client: "dashboard", instance: "dashboard", plan: "basic" });
  repository.remove("production-acme");

  const adopted = await runFleet(edge, ["adopt", "acme", ...tenants]);
  expect(adopted, adopted.progress).toMatchObject({ code: 0 });
  expect(adopted.progress).toContain("Git manages acme. Commit ");
  expect(held("acme")).toEqual(before);
  expect(await rowsOf("acme")).toEqual({
    client: "git",
    instance: "git",
    plan: "basic",
    owner: "urn:pulumi:production-acme",
  });
  let text = readFileSync(file, "utf8");
  expect(text).toContain("tokenVersion: 2");
  expect(text).toContain("aiGateway: pool-a");
  expect(text).toMatch(/^secretsprovider: hashivault:[^\n]+\nencryptedkey: /);
  const none = await reportOf(edge, ["preview", "--detailed-exitcode", ...tenants]);
  expect(none).toMatchObject({ code: 0, stacks: [{ tenants: [{ slug: "acme", fate: "unchanged" }] }] });
  const refused = await platform.refused("PUT", `/client/instance/${asked.id}/worker-plan/pro`);
  expect(refused.code).toBe("managed_by_git");
  expect(refused.message).toContain("Pulumi.production-acme.yaml");
  expect(refused.message).toContain("npm run fleet -- release acme");
  const again = await runFleet(edge, ["adopt", "acme", ...tenants]);
  expect(again, again.progress).toMatchObject({ code: 0 });
  expect(readFileSync(file, "utf8")).toBe(text);

  const withDoor = parseDocument(text);
  withDoor.setIn(["config", "tenantry:clients", 0, "instances", 0, "doors"], [{ name: "deploys", kind: "bearer" }]);
  text = withDoor.toString();
  writeFileSync(file, text);
  const doors = () => sql(edge, "select id, name, managed_by, owner is null as free, version from tenantry.doors");
  const deployed = await reportOf(edge, ["up", ...tenants]);
  expect(deployed).toMatchObject({
    code: 0,
    stacks: [{ tenants: [{ slug: "acme", fate: "changed" }] }],
  });
  const [door] = z.array(z.object({ id: z.string() })).parse(await doors());
  expect(await doors()).toEqual([{ id: door?.id, name: "deploys", managed_by: "git", free: false, version: 1 }]);
  expect((await platform.refused("DELETE", `/api/doors/${door?.id}`)).message).toContain("Pulumi.production-acme.yaml");

  // Undeployed changes would be lost.
  writeFileSync(file, text.replace("plan: basic", "plan: pro"));
  const pending = await runFleet(edge, ["release", "acme", ...tenants]);
  expect(pending).toMatchObject({ code: 1 });
  expect(pending.progress).toContain("npm run fleet -- up production-acme first");
  expect(await rowsOf("acme")).toMatchObject({ client: "git" });
  writeFileSync(file, text);
  const commit = repository.commit();

  const released = await runFleet(edge, ["release", "acme", ...tenants]);
  expect(released, released.progress).toMatchObject({ code: 0 });
  expect(released.progress).toContain("Commit the removal of ");
  expect(existsSync(file)).toBe(false);
  expect(held("acme")).toEqual(before);
  expect(await rowsOf("acme")).toEqual({ client: "dashboard", instance: "dashboard", plan: "basic", owner: null });
  expect(await doors()).toEqual([{ id: door?.id, name: "deploys", managed_by: "dashboard", free: true, version: 1 }]);
  const twice = await runFleet(edge, ["release", "acme", ...tenants]);
  expect(twice, twice.progress).toMatchObject({ code: 0 });
  expect(twice.progress).toContain("The dashboard manages acme already");

  // Deleting its file must not delete the tenant.
  const gone = await reportOf(edge, ["up", "--since", commit, "--destroy", "--detailed-exitcode", ...tenants]);
  expect(gone).toMatchObject({ code: 0, stacks: [{ tenants: [], notes: [expect.stringContaining("the dashboard")] }] });
  expect(held("acme")).toEqual(before);

  const changed = await platform.ended((await platform.changePlan(asked.id, "pro")).job?.id);
  expect(changed).toMatchObject({ kind: "change_plan", status: "succeeded", cause: null });
  const steps = changed.events.flatMap(({ step }) => (step?.phase === "done" ? [step.operation] : []));
  expect(new Set(steps)).toEqual(new Set(["update"]));
  expect((await platform.instance(asked.id)).status).toBe("running");
});

test("refuses an adoption during an operation, blocks others, and continues or reverts it after it was killed", async () => {
  const { edge } = platform;
  const client = await platform.newClient("raced");
  const asked = await platform.provision(client.id);
  const repository = scratchRepository();
  const tenants = ["--tenants", repository.directory];
  const adopt = (...more: string[]) => runFleet(edge, ["adopt", "raced", ...tenants, ...more]);
  const file = join(repository.directory, "Pulumi.production-raced.yaml");
  await platform.reached(asked.job?.id ?? "", 30);
  const provisioning = await hold(asked.job?.id ?? "");
  const tooEarly = await adopt();
  expect(tooEarly).toMatchObject({ code: 1 });
  await provisioning();
  await platform.ended(asked.job?.id);

  const change = (await platform.changePlan(asked.id, "pro")).job?.id ?? "";
  const changing = await hold(change);
  const during = await adopt();
  await changing();
  expect(during).toMatchObject({ code: 1 });
  expect(during.progress).toContain(`An operation on raced is under way: change_plan (${change}, `);
  expect(existsSync(file)).toBe(false);
  expect(await rowsOf("raced")).toMatchObject({ client: "dashboard", instance: "dashboard" });
  await platform.ended(change);
  await rolledOut(edge, "raced");

  const elsewhere = await adopt("--environment", "staging");
  expect(elsewhere).toMatchObject({ code: 1 });
  expect(elsewhere.progress).toContain("It exists with --environment production.");

  // Killed after the rows were handed to Git.
  const before = held("raced");
  const claimed = async () => (await rowsOf("raced")) as { client: string };
  const killed = startFleet(edge, ["adopt", "raced", ...tenants]);
  await expect.poll(claimed, { timeout: 100_000, interval: 20 }).toMatchObject({ client: "git" });
  if (killed.child.pid !== undefined) killTree(killed.child.pid);
  await killed.ended;
  expect((await platform.refused("PUT", `/client/instance/${asked.id}/worker-plan/basic`)).code).toBe("managed_by_git");
  const back = await runFleet(edge, ["release", "raced", ...tenants]);
  expect(back, back.progress).toMatchObject({ code: 0 });
  expect(existsSync(file)).toBe(false);
  expect(await rowsOf("raced")).toEqual({ client: "dashboard", instance: "dashboard", plan: "pro", owner: null });

  // Killed again, while the engine runs.
  const second = startFleet(edge, ["adopt", "raced", ...tenants]);
  await expect
    .poll(claimed, { timeout: 100_000, interval: 20 })
    .toMatchObject({ client: "git", owner: "urn:pulumi:production-raced" });
  if (second.child.pid !== undefined) killTree(second.child.pid);
  await second.ended;
  const both = await Promise.all([adopt(), adopt()]);
  expect(both.map(({ code }) => code).toSorted(), both.map(({ progress }) => progress).join()).toEqual([0, 1]);
  expect(both.find(({ code }) => code === 1)?.progress).toContain("Another handover of raced is under way");
  expect(held("raced")).toEqual(before);
  expect(await rowsOf("raced")).toMatchObject({ client: "git", instance: "git", plan: "pro" });
  expect(readFileSync(file, "utf8")).toContain("plan: pro");
  const none = await reportOf(edge, ["preview", "--detailed-exitcode", ...tenants]);
  expect(none).toMatchObject({ code: 0 });
});
