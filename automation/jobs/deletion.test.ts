import { randomUUID } from "node:crypto";
import { account_id, startApiServer } from "@tenantry/edge/testing/api";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { insertClient, insertClientUser, insertInstance } from "#database/testing/fixtures.ts";
import { hostnameOfToken, serviceTokenName } from "#domain/access/service-token.ts";
import { jobRoutes } from "#workers/contracts/api/jobs.ts";
import { clientRoutes } from "#workers/contracts/api/tenants/clients.ts";
import { erasureRoutes } from "#workers/contracts/api/tenants/erasures.ts";
import { type ApiUnderTest, startApi } from "#workers/dashboard/testing/start-api.ts";
import { type DispatchStandIn, startDispatchStandIn } from "../testing/dispatch-stand-in.ts";
import { engineStandIn } from "../testing/engine-stand-in.ts";
import { requestRun } from "../testing/requested-run.ts";
import { killServiceProcesses, startServiceProcess } from "../testing/service-process.ts";
import { startTestService } from "../testing/test-service.ts";

let api: ApiUnderTest;
let dispatch: DispatchStandIn;
let service: Awaited<ReturnType<typeof startTestService>>;
beforeAll(async () => {
  api = await startApi();
  dispatch = await startDispatchStandIn();
  service = await startTestService(api.database, { DISPATCH_URL: dispatch.url });
});
afterAll(async () => {
  await service.stop();
  await dispatch.stop();
  await api.stop();
});

const as = "north" as const;
/** Runs the task as the schedule does. */
const checkDeadlines = () => requestRun(api.database, "deadlines");

/** Inserts a deleted client after its grace period. */
async function overdue(slug: string, withInstance = false): Promise<string> {
  const { db, pool } = api.database;
  const client_id = await insertClient(db, { slug, partner_id: api.partners.north, managed_by: "dashboard" });
  if (withInstance) await insertInstance(db, client_id, { managed_by: "dashboard" });
  await api.call(clientRoutes.deleteClient, { as, params: { client_id } });
  await pool.query("update tenantry.clients set delete_after = now() - interval '1 second' where id = $1", [client_id]);
  return client_id;
}

const jobs = async (slug: string) =>
  (await api.call(jobRoutes.listJobs, { as: "root", query: { kind: "delete_client", limit: "100" } })).body.data.filter(
    (job) => job.slug === slug,
  );
const succeeded = (id: string | undefined) =>
  service.lines.find((line) => line.event === "job_succeeded" && line.job === id);

test("deletes a client after its grace period, and notifies its partner", async () => {
  const client_id = await overdue("gone");
  await checkDeadlines();
  const [job] = await jobs("gone");
  await succeeded(job?.id);
  expect((await api.refused(clientRoutes.getClient, { as, params: { client_id } })).status).toBe(404);
  const { rows } = await api.database.pool.query(
    "select kind, partner_id from tenantry.events where data ->> 'client_id' = $1",
    [client_id],
  );
  expect(rows).toEqual([{ kind: "client.deleted", partner_id: api.partners.north }]);
  await checkDeadlines();
  expect(await jobs("gone")).toHaveLength(1);
});

test("deletes a client at once when its grace period is ended", async () => {
  const { db } = api.database;
  const client_id = await insertClient(db, { slug: "now", partner_id: api.partners.north, managed_by: "dashboard" });
  const params = { client_id };
  await api.call(clientRoutes.deleteClient, { as, params });
  await api.call(clientRoutes.deleteClient, { as: "root", params, query: { now: "true" } });
  const [job] = await jobs("now");
  expect(job?.kind).toBe("delete_client");
  await succeeded(job?.id);
  expect((await api.refused(clientRoutes.getClient, { as, params })).status).toBe(404);
});

test("waits while the client has an instance, and deletes the client after it", async () => {
  const client_id = await overdue("waits", true);
  await checkDeadlines();
  const [job] = await jobs("waits");
  await service.lines.find((line) => line.event === "job_waits" && line.job === job?.id);
  await checkDeadlines();
  const { body } = await api.call(jobRoutes.getJob, { as, params: { id: job?.id ?? "" } });
  expect(body).toMatchObject({ status: "queued", attempts: 0, requested_by: "service" });
  expect(body.events.map(({ kind, message }) => [kind, message])).toEqual([
    ["queued", ""],
    ["waiting", expect.stringContaining("instance is being removed first")],
  ]);
  const { pool } = api.database;
  await pool.query("delete from tenantry.instances where client_id = $1", [client_id]);
  await succeeded(job?.id);
  expect((await api.refused(clientRoutes.getClient, { as, params: { client_id } })).status).toBe(404);
});

test("cancels the job when the client is restored", async () => {
  const client_id = await overdue("back", true);
  await checkDeadlines();
  const [job] = await jobs("back");
  await service.lines.find((line) => line.event === "job_waits" && line.job === job?.id);
  const { body } = await api.call(clientRoutes.restoreClient, { as, params: { client_id } });
  // Its removal had not begun.
  expect([body.delete_after, body.instance?.status]).toEqual([null, "provisioning"]);
  expect((await jobs("back"))[0]).toMatchObject({ status: "cancelled", cause: "The client was restored." });
  await checkDeadlines();
  expect(await jobs("back")).toHaveLength(1);
});

describe("an erasure", () => {
  type Witness = NonNullable<Parameters<typeof startApiServer>[0]>;
  const engine = engineStandIn();
  let cloudflare: Awaited<ReturnType<typeof startApiServer>>;
  /** Sees each request to Cloudflare's API, and may replace its response. */
  let witness: Witness = async () => undefined;
  let variables: Record<string, string>;
  beforeAll(async () => {
    await service.stop();
    cloudflare = await startApiServer((request, response) => witness(request, response));
    await cloudflare.cloudflare.workersForPlatforms.dispatch.namespaces.create({ account_id, name: "tenants" });
    variables = {
      DISPATCH_URL: dispatch.url,
      ...engine.variables,
      CLOUDFLARE_API_URL: cloudflare.url,
      CLOUDFLARE_ACCOUNT_ID: account_id,
      CLOUDFLARE_API_TOKEN: cloudflare.apiToken,
      PROVISIONING_API_TOKEN: cloudflare.apiToken,
    };
  });
  beforeEach(() => {
    witness = async () => undefined;
  });
  afterEach(async () => {
    killServiceProcesses();
    await service.stop();
  });
  afterAll(async () => {
    await cloudflare.close();
    engine.remove();
  });

  /** Has an ADMIN erase a client with an instance and a bucket. */
  async function requestErasure(slug: string) {
    const { db } = api.database;
    const client_id = await insertClient(db, { slug, partner_id: api.partners.north, managed_by: "dashboard" });
    const instance = await insertInstance(db, client_id, { managed_by: "dashboard" });
    const email = `ada@${slug}.test`;
    await insertClientUser(db, { client_id, email, role: "ADMIN", status: "validated" }, [instance]);
    const bucket = `tenantry-backups-${slug}`;
    await cloudflare.cloudflare.r2.buckets.create({ account_id, name: bucket });
    const params = { client_id };
    await api.call(clientRoutes.deleteClient, { as: { slug, email }, params });
    await api.call(clientRoutes.eraseClient, { as: { slug, email }, params, body: { slug } });
    return { client_id, email, bucket };
  }

  const uploadWorker = async (name: string) =>
    cloudflare.cloudflare.workersForPlatforms.dispatch.namespaces.scripts.update(name, {
      ...{ account_id, dispatch_namespace: "tenants" },
      metadata: { main_module: "index.js", compatibility_date: "2026-01-01" },
      files: [new File(["export default {};"], "index.js", { type: "application/javascript+module" })],
    });

  const retried = (attempt: number) =>
    service.lines.find(
      (line) => line.event === "job_failed" && line.kind === "delete_client" && line.attempt === attempt,
    );
  const erased = () => service.lines.find(({ event, kind }) => event === "job_succeeded" && kind === "delete_client");

  async function certificateOf(client_id: string) {
    const { body } = await api.call(erasureRoutes.listErasures, { as: "north", query: {} });
    const params = { erasure_id: body.data.find(({ client }) => client.id === client_id)?.id ?? "" };
    return (await api.call(erasureRoutes.getErasure, { as: "root", params })).body;
  }
  const mailsTo = async (email: string) => {
    const mails = "select from tenantry.mails where kind = 'erasure_certificate' and recipient = $1";
    return (await api.database.pool.query(mails, [email])).rowCount;
  };

  test("also deletes the backups, continues after a kill, and ends with one certificate", async () => {
    const { client_id, email, bucket } = await requestErasure("erased");
    const params = { client_id };
    let deleted: string | undefined;
    const reached = Promise.withResolvers<void>();
    // The first deletion of an object is not answered.
    witness = async ({ method, url }) => {
      if (method !== "DELETE" || !url.includes("/objects/") || deleted !== undefined) return undefined;
      deleted = url;
      reached.resolve();
      return new Promise(() => {});
    };
    cloudflare.runtime.putObject(bucket, "backups/1/archive.tar.gz", new Uint8Array(700));
    cloudflare.runtime.putObject(bucket, "backups/2/x", new Uint8Array(42));
    const { serviceTokens } = cloudflare.cloudflare.zeroTrust.access;
    const host = (slug: string) => serviceTokenName(randomUUID(), `${slug}.agents.example.com`);
    await serviceTokens.create({ account_id, name: host("erased") });
    await serviceTokens.create({ account_id, name: host("other") });

    // The service is killed after one of two objects.
    const killed = startServiceProcess(api.database, variables);
    await reached.promise;
    await killed.kill();
    const { objects } = await cloudflare.runtime.bucket(bucket).list({ limit: 10 });
    expect(objects).toMatchObject([{ key: "backups/2/x", size: 42 }]);
    expect(await api.refused(clientRoutes.restoreClient, { as: "root", params })).toMatchObject({
      status: 409,
      error: { reason: "client_erasing" },
    });

    service = await startTestService(api.database, variables);
    await erased();
    const gone = cloudflare.cloudflare.r2.buckets.get(bucket, { account_id });
    await expect(gone).rejects.toMatchObject({ status: 404 });
    const left = await serviceTokens.list({ account_id });
    expect(left.result.map(({ name = "" }) => hostnameOfToken(name))).toEqual(["other.agents.example.com"]);
    // No last backup was made.
    expect(dispatch.heard.filter(({ request }) => request === "POST /_backup/erased")).toEqual([]);
    const body = await certificateOf(client_id);
    expect(body).toMatchObject({
      client: { id: client_id, slug: "erased" },
      requested_by: email,
      erased: {
        bucket: { name: bucket, objects: 2, bytes: 742 },
        rows: { clients: 1, instances: 1, client_users: 1, client_user_instances: 1 },
      },
    });
    const read = body.erased.resources[0]?.absent_at;
    expect(body.erased.resources).toEqual(
      [
        ["Worker", "tenant-erased"],
        ["Container application", "tenant-erased"],
        ["Access application", "Tenant erased"],
        ["Access application", "Tenant erased: /api/health"],
        ["Access policy", "Tenant erased: members"],
        ["Access policy", "Tenant erased: service tokens"],
        ["Access group", "Members of erased.agents.example.com"],
        ["Access service tokens of the host", "erased.agents.example.com"],
        ["API token", "AI gateway of erased"],
        ["API token", "AI gateway (second) of erased"],
        ["API token", "Backups of erased"],
        ["API token", "Backups (second) of erased"],
        ["Bucket of backups", bucket],
      ].map(([kind, name]) => ({ kind, name, absent_at: read })),
    );
    expect(Date.parse(read ?? "")).toBeLessThanOrEqual(Date.parse(body.erased_at ?? ""));
    expect(body.text).toContain("2 objects with 742 bytes");
    expect(body.text).toContain(`- Worker: tenant-erased. Absent from Cloudflare on ${read}.`);
    const certificate = { params: { erasure_id: body.id }, as: "south" } as const;
    expect(await api.refused(erasureRoutes.getErasure, certificate)).toMatchObject({ status: 404 });
    expect(await mailsTo(email)).toBe(1);
    expect((await api.refused(clientRoutes.getClient, { as: "root", params })).status).toBe(404);
  });

  test("stays open while Cloudflare refuses to state what it has, or has a resource, and names the cause", async () => {
    const { client_id, email } = await requestErasure("left");
    await uploadWorker("tenant-left");
    const errors = [{ code: 10000, message: "Authentication error" }];
    // The first attempt is refused. The service also counts policies, with small pages.
    witness = async ({ url }) => {
      if (!url.includes("/access/policies?page=1&per_page=50")) return undefined;
      witness = async () => undefined;
      return Response.json({ success: false, errors, messages: [], result: null }, { status: 403 });
    };
    service = await startTestService(api.database, variables);
    await retried(2);
    const [job] = await jobs("left");
    const { events } = (await api.call(jobRoutes.getJob, { as, params: { id: job?.id ?? "" } })).body;
    const causes = events.filter(({ kind }) => kind === "retried").map(({ message }) => message);
    expect(causes[0]).toMatch(
      /Access policy is erased \(Tenant left: members, Tenant left: service tokens\).* HTTP 403/,
    );
    expect(causes[0]).toContain("PROVISIONING_API_TOKEN has the permission Access: Apps and Policies (Read)");
    expect(causes[1]).toBe(
      "Cloudflare still has resources of the erased client: Worker 'tenant-left'. Delete them at Cloudflare. " +
        "The erasure is retried, and then deletes the client.",
    );
    expect(await certificateOf(client_id)).toMatchObject({ erased_at: null, erased: { resources: [] } });
    expect(await mailsTo(email)).toBe(0);

    const { scripts } = cloudflare.cloudflare.workersForPlatforms.dispatch.namespaces;
    await scripts.delete("tenant-left", { account_id, dispatch_namespace: "tenants" });
    await erased();
    expect((await certificateOf(client_id)).erased.resources[0]?.absent_at).not.toBeNull();
    expect(await mailsTo(email)).toBe(1);
  });

  test("reads Cloudflare again if it is killed between the check and the deletion", async () => {
    const { client_id, email, bucket } = await requestErasure("between");
    const { pool } = api.database;
    const lock = await pool.connect();
    const checked = async () => {
      const { rows } = await pool.query("select checked_at from tenantry.erasures where client_id = $1", [client_id]);
      return rows[0]?.checked_at as Date | null;
    };
    // The last request of the check.
    witness = async ({ method, url }, { status }) => {
      if (method !== "GET" || !url.endsWith(`/r2/buckets/${bucket}`) || status !== 404) return undefined;
      witness = async () => undefined;
      await lock.query("begin");
      await lock.query("select from tenantry.clients where id = $1 for update", [client_id]);
      return undefined;
    };
    const killed = startServiceProcess(api.database, variables);
    await expect.poll(checked).not.toBeNull();
    const first = await checked();
    const waiting = `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
      and query like '%delete_client%'`;
    await expect.poll(async () => (await pool.query(waiting)).rowCount).toBe(1);
    await killed.kill();
    await pool.query(`select pg_terminate_backend(pid) from (${waiting}) as waiting`);
    await lock.query("rollback");
    lock.release();
    expect(await mailsTo(email)).toBe(0);

    service = await startTestService(api.database, variables);
    await erased();
    expect(Number(await checked())).toBeGreaterThan(Number(first));
    expect(await mailsTo(email)).toBe(1);
  });
});
