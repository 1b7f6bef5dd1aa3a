import { afterAll, beforeAll, expect, test } from "vitest";
import { insertClient, insertInstance } from "#database/testing/fixtures.ts";
import { startTestDatabase, type TestDatabase } from "#database/testing/test-database.ts";
import { instanceVersion } from "#database/versions/versions.ts";
import { type DispatchStandIn, startDispatchStandIn } from "../testing/dispatch-stand-in.ts";
import { requestRun } from "../testing/requested-run.ts";
import { startTestService } from "../testing/test-service.ts";

let database: TestDatabase;
let dispatch: DispatchStandIn;
let service: Awaited<ReturnType<typeof startTestService>>;
/** Reported version by slug; tenants without one do not respond. */
const reports: Record<string, { version: string } | undefined> = {};
beforeAll(async () => {
  database = await startTestDatabase();
  dispatch = await startDispatchStandIn((request) => {
    const version = reports[request.replace("GET /_status/", "")]?.version;
    const status = { ts: new Date().toISOString(), sandbox: "asleep", warnings: [] };
    return version === undefined ? undefined : { ...status, gateway: { name: "gw", version } };
  });
  service = await startTestService(database, { DISPATCH_URL: dispatch.url });
});
afterAll(async () => {
  await service.stop();
  await dispatch.stop();
  await database.stop();
});

async function tenant(slug: string, wanted: string | null): Promise<string> {
  const client = await insertClient(database.db, { slug, managed_by: "dashboard" });
  return insertInstance(database.db, client, { managed_by: "dashboard", image_id: wanted });
}
const image = async (version: string): Promise<string> =>
  (
    await database.pool.query(
      "insert into tenantry.images (reference, gateway, gateway_version) values ($1, 'gw', $2) returning id",
      [`r@sha256:${version.replaceAll(".", "0").padStart(64, "0")}`, version],
    )
  ).rows[0].id;
const incidents = async () =>
  (
    await database.pool.query(
      `select c.slug, n.cause, n.closed_at is null as open from tenantry.incidents n
       join tenantry.clients c on c.id = n.client_id where n.kind = 'version_differs' order by n.opened_at`,
    )
  ).rows;
const jobs = async () =>
  (await database.pool.query("select slug, payload, requested_by from tenantry.jobs where kind = 'adopt_version'"))
    .rows;

test("opens an incident and redeploys once when the version differs, and closes it when the version matches", async () => {
  const wanted = await image("2.0.0");
  const differs = await tenant("differs", wanted);
  const same = await tenant("same", wanted);
  const silent = await tenant("silent", wanted);
  const git = await tenant("any", null);
  Object.assign(reports, { differs: { version: "1.0.0" }, same: { version: "2.0.0" }, any: { version: "9" } });
  await requestRun(database, "read_versions");
  expect(await incidents()).toEqual([
    { slug: "differs", cause: "It reports gw 1.0.0 instead of gw 2.0.0.", open: true },
  ]);
  expect(await jobs()).toEqual([
    {
      slug: "differs",
      payload: { to: { imageId: wanted, bundleId: null }, from: null, backup: null },
      requested_by: "service",
    },
  ]);
  const versions = async (id: string) => (await instanceVersion(database.db, id))?.reported?.gateway_version;
  expect([await versions(same), await versions(silent), await versions(git)]).toEqual(["2.0.0", undefined, "9"]);

  // No incident while the deployment is under way, and no third deployment afterwards.
  await requestRun(database, "read_versions");
  await database.pool.query(
    "update tenantry.jobs set status = 'failed', ended_at = now() where kind = 'adopt_version'",
  );
  await requestRun(database, "read_versions");
  expect([await incidents(), await jobs()]).toMatchObject([[{ open: true }], [{ slug: "differs" }]]);

  reports.differs = { version: "2.0.0" };
  const before = (await instanceVersion(database.db, same))?.reported?.at;
  await requestRun(database, "read_versions");
  expect(await incidents()).toMatchObject([{ slug: "differs", open: false }]);
  // Three first reports and one changed report are sent to open pages, as is the incident.
  const updates = await database.pool.query<{ kind: string; times: number }>(
    `select kind, count(*)::integer as times from tenantry.events where kind ~ '^(incident|instance)\\.' group by kind order by kind`,
  );
  expect(updates.rows).toEqual([
    { kind: "incident.closed", times: 1 },
    { kind: "incident.opened", times: 1 },
    { kind: "instance.reported", times: 4 },
  ]);
  expect(await versions(differs)).toBe("2.0.0");
  // An unchanged report is no event.
  expect((await instanceVersion(database.db, same))?.reported?.at).toEqual(before);
});
