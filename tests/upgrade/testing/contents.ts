/** Content of a fixture's platform besides the demo's Git tenants, created through public interfaces. */
import { setTimeout as delay } from "node:timers/promises";
import * as z from "zod";
import { call } from "../../testing/http.ts";
import { invitationsTo } from "../../testing/mail.ts";
import { sql } from "../../testing/sql.ts";
import { askAsRoot, callAs, DASHBOARD, ROOT_USER, type RunningEdge, type Target } from "./root-api.ts";

export const contents = z.object({
  /** The tenant created in the dashboard. */
  tenant: z.object({ slug: z.string(), client: z.uuid(), instance: z.uuid() }),
  invited: z.email(),
  /** A member of the tenant, who accepted the invitation. */
  accepted: z.email(),
  /** Backup of the tenant, created when its only note was `note`. */
  backup: z.string(),
  note: z.string(),
  /** Issued to the tenant's client. */
  invoice: z.uuid(),
  /** Open. */
  incident: z.uuid(),
  /** Queued provisioning of another client's instance. */
  queued: z.object({ slug: z.string(), job: z.uuid(), instance: z.uuid() }),
});
export type Contents = z.infer<typeof contents>;

const identified = z.looseObject({ id: z.uuid() });
const provisioning = identified.extend({ job: identified });
const listed = z.object({ data: z.array(identified) });

const clients = z.object({ data: z.array(z.looseObject({ instance: z.object({ status: z.string() }).nullable() })) });

const TENANT = "contoso";
const QUEUED = "fabrikam";
const INVITED = "ida@contoso.example";
const ACCEPTED = "otto@contoso.example";
const NOTE = "written before the backup";

const WAIT_MS = 180_000;
const POLL_MS = 300;

/** Polls until `ask` returns a value. @throws Error naming `what` on a timeout */
export async function eventually<T>(what: string, ask: () => Promise<T | undefined>): Promise<T> {
  for (const end = Date.now() + WAIT_MS; Date.now() < end; await delay(POLL_MS)) {
    const found = await ask();
    if (found !== undefined) return found;
  }
  throw new Error(`Timed out waiting for ${what}.`);
}

/** Creates everything that a running automation service does not change. */
export async function makeSettledContents(edge: RunningEdge): Promise<Omit<Contents, "incident" | "queued">> {
  await eventually("the automation service", async () =>
    fetch(`${edge.automation}/healthz`).then(
      ({ ok }) => (ok ? true : undefined),
      () => undefined,
    ),
  );
  const client = await makeClient(edge, TENANT, "Contoso");
  const { id: instance, job } = await provision(edge, client, TENANT);
  await succeeded(edge, job.id);
  const host = `${TENANT}.tenantry.localhost`;
  await write(edge, host, NOTE);
  const { backup } = await askAsRoot(
    edge,
    z.object({ backup: z.looseObject({ id: z.string() }) }),
    "POST",
    `/client/instance/${instance}/backup`,
  );
  for (const email of [INVITED, ACCEPTED]) await invite(edge, { client, instance }, email);
  await accept(edge, ACCEPTED);
  await eventually("the accepted user's access to the tenant", async () =>
    callAs(edge, ACCEPTED, host, ["GET", "/api/notes"]).then(
      ({ status }) => (status === 200 ? true : undefined),
      () => undefined,
    ),
  );
  await eventually("all tenants to run", async () => {
    const { data } = await askAsRoot(edge, clients, "GET", "/client");
    return data.every(({ instance }) => instance?.status === "running") ? true : undefined;
  });
  return {
    tenant: { slug: TENANT, client, instance },
    invited: INVITED,
    accepted: ACCEPTED,
    backup: backup.id,
    note: NOTE,
    invoice: await invoice(edge, client),
  };
}

/** Creates what a running automation service would finish or close at once. Call it while the service is suspended. */
export async function makeOpenContents(edge: RunningEdge): Promise<Pick<Contents, "incident" | "queued">> {
  const { id: instance, job } = await provision(edge, await makeClient(edge, QUEUED, "Fabrikam"), QUEUED);
  // The service opens one when a gateway has been dead for five minutes.
  const [incident] = await sql(
    edge,
    `insert into tenantry.incidents (environment, client_id, instance_id, kind, cause, remedy)
     select i.environment, i.client_id, i.id, 'gateway_dead', 'The gateway has not been alive for five minutes.', 'Restart its gateway.'
     from tenantry.instances i join tenantry.clients c on c.id = i.client_id where c.slug = 'lab' returning id`,
  );
  return { incident: identified.parse(incident).id, queued: { slug: QUEUED, job: job.id, instance } };
}

export async function makeClient(edge: Target, slug: string, name: string): Promise<string> {
  const { id } = await askAsRoot(edge, identified, "POST", "/client/new", { slug, name, billing_plan: "basic" });
  await askAsRoot(edge, identified, "PUT", "/client/update", { id, status: "active" });
  return id;
}

/** With a dedicated AI gateway, because the demo's tenants use up the pool. */
export const provision = (edge: Target, client_id: string, slug: string) =>
  askAsRoot(edge, provisioning, "POST", "/client/instance/create", { client_id, ai_gateway_id: `tenantry-${slug}` });

const jobState = identified.extend({
  status: z.string(),
  cause: z.string().nullable(),
  ended_at: z.string().nullable(),
});

/** Waits for the end of a job. @throws Error unless it succeeded */
export async function succeeded(edge: Target, id: string): Promise<void> {
  const job = await eventually(`the job ${id}`, async () => {
    const found = await askAsRoot(edge, jobState, "GET", `/jobs/${id}`);
    return found.ended_at === null ? undefined : found;
  });
  if (job.status !== "succeeded") throw new Error(`The job ${id} ended as ${job.status}: ${job.cause}`);
}

const notes = z.object({ notes: z.array(z.object({ text: z.string() })) });

/** Returns what the accepted user finds in the tenant, once its gateway responds. */
export async function notesOf(edge: Target, { tenant, accepted }: Contents): Promise<string[]> {
  const host = `${tenant.slug}.tenantry.localhost`;
  const { body } = await eventually(`the notes of ${host}`, async () => {
    const answer = await callAs(edge, accepted, host, ["GET", "/api/notes"]);
    return answer.status === 200 ? answer : undefined;
  });
  return notes.parse(JSON.parse(body)).notes.map(({ text }) => text);
}

export async function write(edge: Target, host: string, text: string): Promise<void> {
  await eventually(`${host} to take a note`, async () => {
    const { status } = await callAs(edge, ROOT_USER, host, ["POST", "/api/notes", { text }]);
    return status === 201 ? true : undefined;
  });
}

async function invite(edge: RunningEdge, tenant: { client: string; instance: string }, email: string): Promise<void> {
  await askAsRoot(edge, identified, "POST", `/api/clients/${tenant.client}/users`, {
    email,
    role: "BASE_USER",
    instance_ids: [tenant.instance],
  });
  await eventually(`the invitation to ${email}`, async () => (await invitationsTo(edge, email))[0]);
}

async function accept(edge: RunningEdge, email: string): Promise<void> {
  const [link = ""] = await invitationsTo(edge, email);
  const { status, body } = await call(edge, DASHBOARD, new URL(link).pathname, {
    method: "POST",
    headers: { accept: "application/json", "content-type": "application/json" },
    body: JSON.stringify({ decision: "accept" }),
  });
  if (status !== 200) throw new Error(`Accepting the invitation of ${email} returned ${status}: ${body}`);
}

/** Makes the automation service issue last month's invoice, for which the new client gets a past. */
async function invoice(edge: RunningEdge, client: string): Promise<string> {
  await sql(
    edge,
    `update tenantry.clients set created_at = created_at - interval '62 days' where id = '${client}';
     update tenantry.client_plans set valid_from = valid_from - 62 where client_id = '${client}';
     select graphile_worker.add_job('issue_invoices', '{}'::json)`,
  );
  return eventually("the invoice", async () => {
    const { data } = await askAsRoot(edge, listed, "GET", `/client/${client}/invoices`);
    return data[0]?.id;
  });
}
