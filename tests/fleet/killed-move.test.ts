import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { stringify } from "yaml";
import { scratchRepository } from "#fleet/testing/repository.ts";
import { killTree, pulumi, ROOT } from "../testing/engine.ts";
import { clientSettings, platformSettings, stackOf, temporaryPlatform } from "../testing/platform.ts";
import { sql } from "../testing/sql.ts";
import { killFleets, reportOf, runFleet, startFleet } from "./testing/fleet-run.ts";

/** Long, because the machine may be busy. */
const SOON = { timeout: 120_000, interval: 10 };

test("continues a move that was killed at any point, and recreates nothing of the tenant", async () => {
  const edge = await temporaryPlatform();
  onTestFinished(killFleets);
  await (await stackOf(edge, platformSettings([]))).up();
  const repository = scratchRepository();
  const clients = clientSettings([{ slug: "acme" }, { slug: "lab" }]);
  repository.write(
    "prod-from",
    stringify({ config: { "tenantry:platformStack": "whole", "tenantry:clients": clients } }),
  );
  const tenants = ["--tenants", repository.directory];
  const up = await runFleet(edge, ["up", ...tenants]);
  expect(up, up.output).toMatchObject({ code: 0 });
  const held = () => ({
    counts: edge.store.counts(),
    tokens: edge.store.list("api_token").map(({ id }) => id),
    containers: JSON.stringify(edge.store.list("container_application")),
  });
  const before = held();
  const engineFile = (...path: string[]) => join(edge.directory, "pulumi/.pulumi", ...path);
  const stateHolds = (stack: string) => {
    const file = engineFile("stacks/tenantry", `${stack}.json`);
    return existsSync(file) && readFileSync(file, "utf8").includes("components:Client::acme");
  };
  const owner = async () => {
    const [row] = await sql(
      edge,
      "select split_part(owner, '::', 1) as stack from tenantry.clients where slug = 'acme'",
    );
    return row;
  };
  const move = ["move", "acme", "--to", "prod-to", ...tenants];
  const killedWhen = async (reached: () => unknown) => {
    const { child, ended } = startFleet(edge, move);
    // Reports a move that ended earlier.
    const early = ended.then((said) => Promise.reject(new Error(`the move ended: ${said.progress}`)));
    early.catch(() => {});
    await Promise.race([expect.poll(reached, SOON).toBeTruthy(), early]);
    if (child.pid !== undefined) killTree(child.pid);
    return ended;
  };

  // The rows belong to the target, but the state does not: no run of the source deletes or recovers the tenant.
  await killedWhen(async () => JSON.stringify(await owner()) === '{"stack":"urn:pulumi:prod-to"}');
  expect(held()).toEqual(before);
  if (stateHolds("prod-from") && !stateHolds("prod-to")) {
    const refused = await reportOf(edge, ["up", "prod-from", ...tenants]);
    expect(refused.stacks[0]?.fault).toContain("the client acme belongs to the stack tenantry/prod-to");
  }
  const other = await runFleet(edge, ["move", "acme", "--to", "prod-else", ...tenants]);
  expect(other).toMatchObject({ code: 1 });
  expect(other.progress).toContain("npm run fleet -- move acme --to prod-to first");

  // Both states have it, as after an engine was killed between its two writes.
  await killedWhen(() => stateHolds("prod-to"));
  const kept = join(dirname(repository.directory), ".fleet");
  const [first = ""] = readdirSync(kept)
    .filter((name) => name.startsWith("prod-from-"))
    .toSorted();
  const options = ["--stack", "organization/tenantry/prod-from", "--file", join(kept, first)];
  // The killed engine may have left its lock.
  rmSync(engineFile("locks/organization/tenantry/prod-from"), { recursive: true, force: true });
  const back = await pulumi(edge, join(ROOT, "tenants"), ["stack", "import", ...options]);
  expect(back, back.output).toMatchObject({ code: 0 });
  expect([stateHolds("prod-from"), stateHolds("prod-to")]).toEqual([true, true]);

  // The target is being deployed.
  const locks = engineFile("locks/organization/tenantry/prod-to");
  await killedWhen(() => !stateHolds("prod-from") && existsSync(locks) && readdirSync(locks).length > 0);

  const done = await runFleet(edge, move);
  expect(done, done.progress).toMatchObject({ code: 0 });
  expect(held()).toEqual(before);
  expect([stateHolds("prod-from"), stateHolds("prod-to")]).toEqual([false, true]);
  expect(edge.store.get("script", "tenants/tenant-acme")?.tags).toContain("stack:tenantry/prod-to");
  expect(readFileSync(join(repository.directory, "Pulumi.prod-from.yaml"), "utf8")).not.toContain("acme");
  expect(await reportOf(edge, ["preview", "--detailed-exitcode", ...tenants])).toMatchObject({
    code: 0,
    stacks: [{ stack: "prod-from" }, { stack: "prod-to" }],
  });
  expect(await reportOf(edge, ["drift", "--detailed-exitcode", ...tenants])).toMatchObject({ code: 0 });
  expect(readdirSync(kept).filter((name) => name.startsWith("move-"))).toEqual([]);
});
