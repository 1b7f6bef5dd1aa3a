import { account_id, startApiServer } from "@tenantry/edge/testing/api";
import { afterAll, beforeAll, expect, test } from "vitest";
import { insertClient, insertClientUser, insertInstance } from "#database/testing/fixtures.ts";
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

test("erases a client with its backups, also after a kill, with one certificate", async () => {
  const { db, pool } = api.database;
  await service.stop();
  const client_id = await insertClient(db, { slug: "erased", partner_id: api.partners.north, managed_by: "dashboard" });
  const instance = await insertInstance(db, client_id, { managed_by: "dashboard" });
  const email = "ada@erased.test";
  await insertClientUser(db, { client_id, email, role: "ADMIN", status: "validated" }, [instance]);
  const ada = { slug: "erased", email };
  const params = { client_id };
  await api.call(clientRoutes.deleteClient, { as: ada, params });
  await api.call(clientRoutes.eraseClient, { as: ada, params, body: { slug: "erased" } });

  const engine = engineStandIn();
  const bucket = "tenantry-backups-erased";
  let deleted: string | undefined;
  const reached = Promise.withResolvers<void>();
  // The first deletion of an object is not answered.
  const cloudflare = await startApiServer(async ({ method, url }) => {
    if (method !== "DELETE" || !url.includes("/objects/") || deleted !== undefined) return undefined;
    deleted = url;
    reached.resolve();
    return new Promise(() => {});
  });
  await cloudflare.cloudflare.r2.buckets.create({ account_id, name: bucket });
  cloudflare.runtime.putObject(bucket, "backups/1/archive.tar.gz", new Uint8Array(700));
  cloudflare.runtime.putObject(bucket, "backups/2/x", new Uint8Array(42));
  const variables = {
    DISPATCH_URL: dispatch.url,
    ...engine.variables,
    CLOUDFLARE_API_URL: cloudflare.url,
    CLOUDFLARE_ACCOUNT_ID: account_id,
    PROVISIONING_API_TOKEN: cloudflare.apiToken,
  };
  try {
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
    await service.lines.find(({ event, kind }) => event === "job_succeeded" && kind === "delete_client");
    const gone = cloudflare.cloudflare.r2.buckets.get(bucket, { account_id });
    await expect(gone).rejects.toMatchObject({ status: 404 });
    // No last backup was made.
    expect(dispatch.heard.filter(({ request }) => request === "POST /_backup/erased")).toEqual([]);
    const { body: list } = await api.call(erasureRoutes.listErasures, { as: "north", query: {} });
    const [listed] = list.data;
    const certificate = { as: "root", params: { erasure_id: listed?.id ?? "" } } as const;
    const { body } = await api.call(erasureRoutes.getErasure, certificate);
    expect(body).toMatchObject({
      client: { id: client_id, slug: "erased" },
      requested_by: email,
      erased: {
        bucket: { name: bucket, objects: 2, bytes: 742 },
        rows: { clients: 1, instances: 1, client_users: 1, client_user_instances: 1 },
      },
    });
    expect(body.erased.resources).toContainEqual({ kind: "Access application", name: "Tenant erased" });
    expect(body.text).toContain("2 objects with 742 bytes");
    expect(await api.refused(erasureRoutes.getErasure, { ...certificate, as: "south" })).toMatchObject({ status: 404 });
    const mails = await pool.query("select recipient from tenantry.mails where kind = 'erasure_certificate'");
    expect(mails.rows).toEqual([{ recipient: email }]);
    expect((await api.refused(clientRoutes.getClient, { as: "root", params })).status).toBe(404);
  } finally {
    killServiceProcesses();
    await cloudflare.close();
    engine.remove();
  }
});
