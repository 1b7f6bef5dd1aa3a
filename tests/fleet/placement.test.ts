/** Stacks of tenants that can be placed on several platforms. */
import * as pulumi from "@pulumi/pulumi";
import { LocalWorkspace, type Stack } from "@pulumi/pulumi/automation/index.js";
import { pulumiCommand } from "@tenantry/automation-api";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PROJECT } from "#automation/engine/project-name.ts";
import { type PlatformOutputs, platformOutputs } from "#components/platform-outputs.ts";
import { startTestDatabase, type TestDatabase } from "#database/testing/test-database.ts";
import { scratchRepository } from "#fleet/testing/repository.ts";
import type { Edge } from "#local/edge.ts";
import { engineEnvironment } from "#local/start/project.ts";
import { clientSettings, openPlatform, platformSettings, providersPort, stackOf } from "../testing/platform.ts";
import { sql } from "../testing/sql.ts";
import { killFleets, reportOf, runFleet } from "./testing/fleet-run.ts";

const FIRST = "organization/tenantry/whole";
const SECOND = "organization/tenantry/second";

let edge: Edge;
let close: () => Promise<void>;
/** Of the second platform. */
let database: TestDatabase;
let second: Stack;
let outputs: PlatformOutputs;
beforeAll(async () => {
  ({ edge, close } = await openPlatform());
  database = await startTestDatabase();
  outputs = platformOutputs.parse((await (await first(4)).outputs()).platform?.value);
  second = await secondStack();
  await setSecond(5);
});
afterAll(async () => {
  killFleets();
  await database?.stop();
  await close?.();
});

/** Deploys the first platform with a tenant acme and a limit of Access groups, of which the platform takes three. */
async function first(accessGroups: number): Promise<Stack> {
  const settings = platformSettings([{ slug: "acme" }]);
  const platform = { ...settings["tenantry:platform"], limits: { accessGroups } };
  const stack = await stackOf(edge, { ...settings, "tenantry:platform": platform });
  await stack.up();
  return stack;
}

/** The second platform: a stack with the same outputs and a database of its own, in the same account. */
async function secondStack(): Promise<Stack> {
  return LocalWorkspace.createStack(
    { stackName: "second", projectName: PROJECT, program: async () => ({}) },
    {
      pulumiCommand: await pulumiCommand(),
      envVars: engineEnvironment(edge.directory, edge, "production", providersPort(edge)),
    },
  );
}

async function setSecond(accessGroups: number): Promise<void> {
  second.workspace.program = async () => ({
    platform: { ...outputs, limits: { ...outputs.limits, accessGroups } },
    databaseUrl: pulumi.secret(database.urlOf("provisioner")),
    invalidateToken: pulumi.secret("of-the-second"),
  });
  await second.up();
}

const settingsOf = (slugs: readonly string[], platformStack: unknown = [FIRST, SECOND]) => ({
  "tenantry:platformStack": platformStack,
  "tenantry:clients": clientSettings(slugs.map((slug) => ({ slug }))),
});

const fileOf = (...args: Parameters<typeof settingsOf>) => `config: ${JSON.stringify(settingsOf(...args))}\n`;

const slugsOf = async ({ databaseUrl }: Pick<Edge, "databaseUrl">) =>
  (await sql({ databaseUrl }, "select slug from tenantry.clients order by slug")).map(
    (row) => Object.values(row ?? {})[0],
  );

test("places a tenant on the first platform with capacity, keeps it there, and refuses it without capacity", async () => {
  const repository = scratchRepository();
  const tenants = ["--tenants", repository.directory];
  const preview = async (stack: string) => {
    const { stacks } = await reportOf(edge, ["preview", stack, ...tenants]);
    return stacks[0];
  };

  // The first platform has acme, and no capacity for another.
  repository.write("prod-lab", fileOf(["lab"]));
  expect(await preview("prod-lab")).toMatchObject({
    platform: SECOND,
    fault: null,
    tenants: [{ slug: "lab", fate: "made", aiGateway: { after: "tenantry-lab", kind: "dedicated" } }],
  });
  const { stdout } = await (await stackOf(edge, settingsOf(["lab"]), "by-hand")).preview();
  expect(stdout).toContain(
    `platform: ${SECOND}, which is the first of 2 with room; not ${FIRST}: the account would exceed its limits: 5 Access groups`,
  );
  const up = await runFleet(edge, ["up", "prod-lab", ...tenants]);
  expect(up, up.output).toMatchObject({ code: 0 });
  expect(up.output).toMatch(/^lab +prod-lab +organization\/tenantry\/second +created/m);
  expect(await slugsOf(edge)).toEqual(["acme"]);
  expect(await slugsOf({ databaseUrl: database.url })).toEqual(["lab"]);
  expect(edge.store.get("script", "tenants/tenant-lab")).toBeDefined();

  // Capacity on the first platform moves no tenant.
  await first(10);
  expect(await reportOf(edge, ["up", "prod-lab", ...tenants])).toMatchObject({
    code: 0,
    stacks: [{ platform: SECOND, tenants: [{ slug: "lab", fate: "unchanged" }] }],
  });
  const drift = ["drift", "prod-lab", "--detailed-exitcode", ...tenants];
  expect(await reportOf(edge, drift)).toMatchObject({ code: 0, stacks: [{ platform: SECOND, fault: null }] });
  const stays = await runFleet(edge, ["preview", "prod-lab", "--without-secrets", "--json", ...tenants]);
  expect(JSON.parse(stays.output)).toMatchObject({ stacks: [{ basis: "files", platform: SECOND }] });

  // Neither does a file that no longer names it.
  repository.write("prod-lab", fileOf(["lab"], FIRST));
  for (const command of ["preview", "up"]) {
    const { stacks } = await reportOf(edge, [command, "prod-lab", ...tenants]);
    expect(stacks[0]?.fault).toContain(`has tenants of the platform ${SECOND}. This run would remove them there`);
  }

  // A slug of another owner on the first platform is free on the second.
  repository.write("prod-lab", fileOf(["acme", "lab"]));
  const split = (await preview("prod-lab"))?.fault;
  expect(split).toContain("a slug is one tenant's at all platforms; declare what is at each in a stack of its own");
  expect(split).toContain(`${FIRST} has acme (of the stack tenantry/whole)\n${SECOND} has lab`);

  // A run that loses the last place after its plan is refused before anything is created, and can move to the second platform.
  repository.write("prod-late", fileOf(["late"]));
  await sql(edge, `update tenantry.account_limits set limits = limits || '{"accessGroups": 4}'`);
  const account = edge.store.counts();
  const late = (await reportOf(edge, ["up", "prod-late", ...tenants])).stacks[0]?.fault;
  expect(late).toMatch(/no_account_capacity: the limit limits\.accessGroups is 4, and 5 would be needed; plan again/);
  expect([edge.store.counts(), await slugsOf(edge)]).toEqual([account, ["acme"]]);
  await first(4);
  expect(await reportOf(edge, ["up", "prod-late", ...tenants])).toMatchObject({
    code: 0,
    stacks: [{ platform: SECOND, tenants: [{ slug: "late", fate: "made" }] }],
  });
  expect(await slugsOf({ databaseUrl: database.url })).toEqual(["lab", "late"]);

  // Both are full.
  await setSecond(5);
  repository.write("prod-lab", fileOf(["lab", "more"]));
  const added = (await preview("prod-lab"))?.fault;
  expect(added).toContain(`${SECOND} has lab; declare a tenant that does not fit there in a stack of its own`);
  expect(added).toContain("6 Access groups");
  repository.write("prod-lab", fileOf(["lab"]));
  expect(await preview("prod-lab")).toMatchObject({ platform: SECOND, fault: null });
  repository.write("prod-more", fileOf(["more"]));
  const before = { account: edge.store.counts(), rows: await slugsOf({ databaseUrl: database.url }) };
  for (const command of ["preview", "up"]) {
    const { stacks } = await reportOf(edge, [command, "prod-more", ...tenants]);
    expect(stacks[0]?.fault).toMatch(
      /no platform has room .*\norganization\/tenantry\/whole: .*\n +5 Access groups .*\norganization\/tenantry\/second: .*\n +6 Access groups /,
    );
  }
  expect({ account: edge.store.counts(), rows: await slugsOf({ databaseUrl: database.url }) }).toEqual(before);

  // An undeployed platform may have capacity, as far as a preview can tell.
  repository.write("prod-more", fileOf(["more"], [FIRST, "nowhere"]));
  expect(await preview("prod-more")).toMatchObject({
    platform: null,
    fault: null,
    notes: ["its platform nowhere is not deployed, so the preview is incomplete"],
  });
  const { stacks } = await reportOf(edge, ["up", "prod-more", ...tenants]);
  expect(stacks[0]?.fault).toContain("the stack nowhere holds no deployed platform; run pulumi up there first");

  // A handover keeps the platform, and requires a target that allows it.
  repository.write("prod-apart", fileOf([], FIRST));
  const elsewhere = await runFleet(edge, ["move", "lab", "--to", "prod-apart", ...tenants]);
  expect(elsewhere).toMatchObject({ code: 1 });
  expect(elsewhere.progress).toContain(`is for the platform ${FIRST}, but lab belongs to ${SECOND}`);
  repository.write("prod-apart", fileOf([]));
  const moved = await runFleet(edge, ["move", "lab", "--to", "prod-apart", ...tenants]);
  expect(moved, moved.progress).toMatchObject({ code: 0 });
  expect(await preview("prod-apart")).toMatchObject({
    platform: SECOND,
    tenants: [{ slug: "lab", fate: "unchanged" }],
  });
});
