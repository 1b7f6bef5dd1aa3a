/** What an export has from the database: responses of the API's own routes, so that it has nothing that its caller could not read. */
import * as z from "zod";
import type { ListedClient } from "#database/tenants/clients.ts";
import { auditRoutes } from "#workers/contracts/api/audit.ts";
import { billingRoutes } from "#workers/contracts/api/billing-routes.ts";
import { instanceRoutes } from "#workers/contracts/api/instances/instances.ts";
import { jobRoutes } from "#workers/contracts/api/jobs.ts";
import { MAX_LIMIT } from "#workers/contracts/api/paging.ts";
import { clientUserRoutes } from "#workers/contracts/api/people/invitations.ts";
import { notificationRoutes } from "#workers/contracts/api/people/notifications.ts";
import { serviceTokenRoutes } from "#workers/contracts/api/people/service-tokens.ts";
import type { Route } from "#workers/contracts/api/route.ts";
import { channelRoutes } from "#workers/contracts/api/tenants/channels.ts";
import { doorRoutes } from "#workers/contracts/api/tenants/doors.ts";
import { egressRoutes } from "#workers/contracts/api/tenants/egress.ts";
import { incidentRoutes } from "#workers/contracts/api/tenants/incidents.ts";
import { providerKeyRoutes } from "#workers/contracts/api/tenants/provider-keys.ts";
import type { Call, Handler } from "../../../http/serve.ts";
import { tenantView } from "../../../identity/tenant-view.ts";
import { auditHandlers } from "../../audit/handlers.ts";
import { billingHandlers } from "../../billing/handlers.ts";
import { channelHandlers } from "../../channels/handlers.ts";
import { clientUserHandlers } from "../../client-users/handlers.ts";
import { doorHandlers } from "../../doors/handlers.ts";
import { egressHandlers } from "../../egress/handlers.ts";
import { incidentHandlers } from "../../incidents/handlers.ts";
import { instanceHandlers } from "../../instances/handlers.ts";
import { jobHandlers } from "../../jobs/handlers.ts";
import { notificationHandlers } from "../../notifications/handlers.ts";
import { providerKeyHandlers } from "../../provider-keys/handlers.ts";
import { serviceTokenHandlers } from "../../service-tokens/handlers.ts";

type Values = Readonly<Record<string, string | number>>;

interface Read {
  route: Route;
  handler: Handler<Route>;
  params: Values;
  query: Values;
}

export interface Section {
  /** Path in the archive, without number and extension. */
  path: string;
  read: Read;
  /** Reads each entry of the list by its ID. Default: the list has all. */
  each?: (id: string) => Read;
}

const read = <R extends Route>(route: R, handler: Handler<R>, params: Values = {}, query: Values = {}): Read => ({
  route,
  handler: handler as unknown as Handler<Route>,
  params,
  query,
});

/** @param isAdmin whether an ADMIN reads, who has notification settings */
export function sectionsOf({ id: client_id, instance, created_at }: ListedClient, isAdmin: boolean): Section[] {
  const client = { client_id };
  const ofClient: Section[] = [
    {
      path: "configuration/people",
      read: read(clientUserRoutes.listClientUsers, clientUserHandlers.listClientUsers, client),
    },
    {
      path: "configuration/service-tokens",
      read: read(serviceTokenRoutes.listServiceTokens, serviceTokenHandlers.listServiceTokens, client),
    },
    { path: "history/jobs", read: read(jobRoutes.listJobs, jobHandlers.listJobs, {}, client) },
    ...yearsSince(created_at).map((year) => ({
      path: `history/usage-${year}`,
      read: read(billingRoutes.listUsage, billingHandlers.listUsage, client, {
        from: `${year}-01-01`,
        to: `${year}-12-31`,
      }),
    })),
    { path: "history/credit", read: read(billingRoutes.listCreditEntries, billingHandlers.listCreditEntries, client) },
    {
      path: "history/invoices",
      read: read(billingRoutes.listInvoices, billingHandlers.listInvoices, client),
      each: (invoice_id) => read(billingRoutes.getInvoice, billingHandlers.getInvoice, { invoice_id }),
    },
    { path: "audit/changes", read: read(auditRoutes.listAudit, auditHandlers.listAudit, {}, client) },
  ];
  const ofAdmin: Section[] = [
    {
      path: "configuration/notifications",
      read: read(notificationRoutes.getNotificationSettings, notificationHandlers.getNotificationSettings, client),
    },
  ];
  return [...ofClient, ...(isAdmin ? ofAdmin : []), ...(instance === null ? [] : sectionsOfInstance(instance.id))];
}

/** A response has at most a year of usage. */
function yearsSince(at: Date): number[] {
  const first = at.getUTCFullYear();
  return Array.from({ length: new Date().getUTCFullYear() - first + 1 }, (_, index) => first + index);
}

function sectionsOfInstance(instance_id: string): Section[] {
  const own = { instance_id };
  return [
    { path: "configuration/instance", read: read(instanceRoutes.getInstance, instanceHandlers.getInstance, own) },
    { path: "configuration/channels", read: read(channelRoutes.listChannels, channelHandlers.listChannels, own) },
    { path: "configuration/doors", read: read(doorRoutes.listDoors, doorHandlers.listDoors, own) },
    {
      path: "configuration/provider-keys",
      read: read(providerKeyRoutes.listProviderKeys, providerKeyHandlers.listProviderKeys, own),
    },
    { path: "configuration/egress", read: read(egressRoutes.getEgress, egressHandlers.getEgress, own) },
    {
      path: "configuration/egress-secrets",
      read: read(egressRoutes.listEgressSecrets, egressHandlers.listEgressSecrets, own),
    },
    { path: "history/incidents", read: read(incidentRoutes.listIncidents, incidentHandlers.listIncidents, {}, own) },
    {
      path: "history/availability",
      read: read(instanceRoutes.getInstanceAvailability, instanceHandlers.getInstanceAvailability, own),
    },
  ];
}

const listed = z.object({
  data: z.array(z.unknown()),
  pagination: z.object({ next: z.string().nullable() }).optional(),
});
const identified = z.object({ id: z.string() });

/** Reads a section page by page, each in a transaction of its own. @returns single objects, or pages of a list */
export async function* readSection(
  section: Section,
  call: Call<Route>,
): AsyncGenerator<{ entries: unknown[] } | { object: unknown }> {
  let after: string | null = "";
  do {
    const body = await readOnce(section.read, call, after === "" ? {} : { after });
    const page = listed.safeParse(body).data;
    if (page === undefined) return yield { object: body };
    const { each } = section;
    if (each === undefined) yield { entries: page.data };
    else for (const { id } of z.array(identified).parse(page.data)) yield { entries: [await readOnce(each(id), call)] };
    after = page.pagination?.next ?? null;
  } while (after !== null);
}

async function readOnce(
  { route, handler, params, query }: Read,
  call: Call<Route>,
  place: Values = {},
): Promise<unknown> {
  const caller = await call.caller;
  const parsed = route.query?.parse({ ...query, limit: MAX_LIMIT, ...place });
  const body = await call.inNewTransaction((db) => handler({ ...call, db, params, query: parsed } as Call<Route>));
  const shown = caller?.tenant === undefined ? body : tenantView(body, caller);
  // Bodies have dates.
  return JSON.parse(JSON.stringify(shown));
}
