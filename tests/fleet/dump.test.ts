/** The platform's database is dumped and restored under traffic, by PostgreSQL's own client. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { stringify } from "yaml";
import type { Edge } from "../../local/edge.ts";
import { engineEnvironment } from "../../local/start/project.ts";
import { call, callUntil, loggedIn } from "../testing/http.ts";
import { openEdge, platformSettings, providersPort, stackOf } from "../testing/platform.ts";
import { sql } from "../testing/sql.ts";
import { killFleets, runFleet } from "./testing/fleet-run.ts";

const DASH = "dash.tenantry.localhost";
const CLIENT = process.env.TENANTRY_POSTGRES_CLIENT;

let edge: Edge;
let close: () => Promise<void>;
let root: string;
beforeAll(async () => {
  ({ edge, close } = await openEdge());
  const settings = platformSettings([{ slug: "acme" }]);
  await (await stackOf(edge, settings)).up();
  root = mkdtempSync(join(tmpdir(), "tenantry-dump-"));
  mkdirSync(join(root, "tenants"));
  writeFileSync(join(root, "Pulumi.whole.yaml"), stringify({ config: settings }));
});
afterAll(async () => {
  killFleets();
  await close?.();
  rmSync(root, { recursive: true, force: true });
});

const fleet = (args: string[], client = CLIENT) =>
  runFleet(edge, [...args, "--stack", "whole", "--tenants", join(root, "tenants")], {
    ...engineEnvironment(edge.directory, edge, "production", providersPort(edge)),
    TENANTRY_POSTGRES_CLIENT: client,
  });
const dumps = () => join(root, "dumps");
const names = async () =>
  (await sql(edge, "select name from tenantry.clients order by name")).map((row) => JSON.stringify(row));

test("says what is missing where the client's programs are, and leaves nothing behind", async () => {
  const refused = await fleet(["dump", dumps()], join(root, "nowhere"));
  expect(refused, refused.progress).toMatchObject({ code: 1 });
  expect(refused.progress).toContain(
    "pg_dump was not found, and the server is PostgreSQL 18. Install the PostgreSQL 18 client",
  );
  expect((await fleet(["restore", join(root, "none.dump")])).progress).toContain("There is no ");
});

test.skipIf(CLIENT === undefined)("restores what a dump held, and keeps the database that was in use", async () => {
  const before = await names();
  await sql(
    edge,
    "insert into tenantry.jobs (kind, slug, requested_by, environment) values ('invalidate', 'acme', 'root', 'production')",
  );
  const dumped = await fleet(["dump", dumps(), "--keep", "1"]);
  expect(dumped, dumped.progress).toMatchObject({ code: 0 });
  const [file = "", ...roles] = readdirSync(dumps());
  expect([file.endsWith(".dump"), roles.length]).toEqual([true, 1]);
  for (const name of readdirSync(dumps())) expect(statSync(join(dumps(), name)).mode & 0o777).toBe(0o600);
  await sql(edge, "update tenantry.clients set name = 'Another'");

  const restored = await fleet(["restore", join(dumps(), file)]);
  expect(restored, restored.progress).toMatchObject({ code: 0 });
  expect(restored.progress).toMatch(/Ended the job invalidate of acme/);
  expect(restored.progress).toContain("is kept as tenantry_before_");
  await expect.poll(names, { timeout: 30_000 }).toEqual(before);
  const headers = await loggedIn(edge, "root@tenantry.example", DASH);
  await callUntil(
    () => call(edge, DASH, "/client", { headers }),
    ({ status }) => status === 200,
  );
});

test("the doctor reports rights and routines that are not as declared, and repair restores them", async () => {
  await sql(edge, "revoke select on tenantry.clients from tenantry_platform_root_rights");
  await sql(edge, "drop policy in_scope on tenantry.clients");
  const dash = () => call(edge, DASH, "/client", { headers });
  const headers = await loggedIn(edge, "root@tenantry.example", DASH);
  expect((await dash()).status).not.toBe(200);
  const doctor = () => runFleet(edge, ["doctor", "--json", "--detailed-exitcode"]);
  const found = await doctor();
  expect(found, found.progress).toMatchObject({ code: 2 });
  for (const why of [
    "The policy in_scope on tenantry.clients is not as database/routines/clients.sql has it.",
    "The role tenantry_platform_root_rights lacks SELECT on table tenantry.clients.",
  ])
    expect(found.output).toContain(why);
  expect(found.output).toContain("npm run fleet -- repair --stack whole");
  const repaired = await fleet(["repair"]);
  expect(repaired, repaired.progress).toMatchObject({ code: 0 });
  expect(repaired.progress).toContain("Repaired: The role tenantry_platform_root_rights lacks SELECT");
  expect((await dash()).status).toBe(200);
  expect((await fleet(["repair"])).progress).toContain("Nothing to repair");
  expect((await doctor()).output).not.toContain('"kind": "schema"');
});
