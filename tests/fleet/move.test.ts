/** Moves running tenants between stacks by one command. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { stringify } from "yaml";
import { scratchRepository } from "#fleet/testing/repository.ts";
import type { Edge } from "#local/edge.ts";
import { engineEnvironment } from "#local/start/project.ts";
import { clientSettings, openPlatform, platformSettings, providersPort, stackOf } from "../testing/platform.ts";
import { sql } from "../testing/sql.ts";
import { killFleets, reportOf, runFleet } from "./testing/fleet-run.ts";

let edge: Edge;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ edge, close } = await openPlatform());
});
afterAll(async () => {
  killFleets();
  await close?.();
});

/** 32 hexadecimal digits, as Meta issues them. */
const APP_SECRET = "0123456789abcdef0123456789abcdef";

const owners = () => sql(edge, "select slug, split_part(owner, '::', 1) as stack from tenantry.clients order by slug");

/** Resources in the account, which change if anything is recreated. */
const held = () => ({
  counts: edge.store.counts(),
  tokens: edge.store.list("api_token").map(({ id }) => id),
  containers: JSON.stringify(edge.store.list("container_application")),
});

test("moves a tenant out of the platform's stack, and to another stack of tenants", async () => {
  const doors = [{ name: "wa", kind: "whatsapp" }];
  const secrets = { "tenantry:doorSecrets": { acme: { wa: { appSecret: APP_SECRET } } } };
  const settings = platformSettings([{ slug: "acme", partner: "globex", doors }, { slug: "lab" }], secrets);
  await (await stackOf(edge, settings)).up();
  const repository = scratchRepository();
  const root = dirname(repository.directory);
  const platformFile = join(root, "Pulumi.whole.yaml");
  writeFileSync(platformFile, `# The platform.\n${stringify({ config: settings })}`);
  const tenants = ["--tenants", repository.directory];
  const connections = engineEnvironment(edge.directory, edge, "production", providersPort(edge));
  const fleet = (...args: string[]) => runFleet(edge, [...args, ...tenants], connections);
  const before = held();

  for (const [args, sentence] of [
    [["move", "nobody", "--to", "prod-acme"], "declares nobody in production"],
    [["move", "acme", "--to", "prod-acme", "--environment", "staging"], "declares acme in staging"],
    [["move", "acme", "--to", "whole"], "Set --to to another stack"],
    [["adopt", "nobody"], "The dashboard has no deployed tenant nobody in production"],
    [["release", "acme"], "npm run fleet -- move acme --to production-acme first"],
  ] as const) {
    const refused = await fleet(...args);
    expect(refused, refused.progress).toMatchObject({ code: 1 });
    expect(refused.progress).toContain(sentence);
  }

  const moved = await fleet("move", "acme", "--to", "prod-acme");
  expect(moved, moved.progress).toMatchObject({ code: 0 });
  expect(moved.progress).toContain("acme is in prod-acme. Commit ");
  expect(held()).toEqual(before);
  expect(await owners()).toEqual([
    { slug: "acme", stack: "urn:pulumi:prod-acme" },
    { slug: "lab", stack: "urn:pulumi:whole" },
  ]);
  expect(edge.store.get("script", "tenants/tenant-acme")?.tags).toContain("stack:tenantry/prod-acme");
  const left = readFileSync(platformFile, "utf8");
  expect(left).toContain("# The platform.");
  expect(left).not.toContain("acme");
  const encrypted = /doorSecrets:\s+acme:\s+wa:\s+appSecret:\s+secure: v/;
  const file = join(repository.directory, "Pulumi.prod-acme.yaml");
  expect(readFileSync(file, "utf8")).toContain("partner: globex");
  expect(readFileSync(file, "utf8")).toMatch(encrypted);
  expect(readdirSync(join(root, ".fleet")).filter((name) => name.startsWith("whole-"))).toHaveLength(1);
  expect(await reportOf(edge, ["preview", "--detailed-exitcode", ...tenants])).toMatchObject({ code: 0 });
  const again = await fleet("move", "acme", "--to", "prod-acme");
  expect(again, again.progress).toMatchObject({ code: 0 });
  expect(again.progress).toContain("acme is in prod-acme already");

  // To a stack with tenants, by a file with comments. The first stack is deleted.
  const commit = repository.commit();
  writeFileSync(
    join(repository.directory, "Pulumi.prod-many.yaml"),
    `# Many.\n${stringify({ config: { "tenantry:platformStack": "whole", "tenantry:clients": clientSettings([{ slug: "hooli" }]) } })}`,
  );
  expect(await fleet("up", "prod-many")).toMatchObject({ code: 0 });
  const many = held();
  const joined = await fleet("move", "acme", "--to", "prod-many");
  expect(joined, joined.progress).toMatchObject({ code: 0 });
  expect(joined.progress).toContain("and prod-acme is removed");
  expect(existsSync(file)).toBe(false);
  expect(held()).toEqual(many);
  const text = readFileSync(join(repository.directory, "Pulumi.prod-many.yaml"), "utf8");
  expect(text).toMatch(/^# Many\.[\s\S]*slug: hooli[\s\S]*slug: acme/);
  expect(text).toMatch(encrypted);
  expect(text + moved.progress + joined.progress).not.toContain(APP_SECRET);
  expect(await owners()).toContainEqual({ slug: "acme", stack: "urn:pulumi:prod-many" });
  const report = await reportOf(edge, ["preview", "--since", commit, "--detailed-exitcode", ...tenants]);
  expect(report).toMatchObject({ code: 0, stacks: [{ stack: "prod-many" }, { notes: ["it is destroyed already"] }] });

  // The target belongs to another owner.
  writeFileSync(
    join(repository.directory, "Pulumi.prod-lab.yaml"),
    stringify({
      config: { "tenantry:environment": "staging", "tenantry:platformStack": "whole", "tenantry:clients": [] },
    }),
  );
  const staging = await fleet("move", "lab", "--to", "prod-lab");
  expect(staging).toMatchObject({ code: 1 });
  expect(staging.progress).toContain("is for staging, but lab is in production");
  expect(held()).toEqual(many);
});
