import { parseOrder } from "#database/cursor.ts";
import { insertClient, updateClient } from "#database/tenants/client-changes.ts";
import {
  type ClientOrder,
  countClients,
  findDeletedHolder,
  type ListedClient,
  listClients,
  placeOf,
} from "#database/tenants/clients.ts";
import { findInstance } from "#database/tenants/instances.ts";
import { clientErrors } from "#domain/errors/api/clients.ts";
import { labelFault, newSlugFault } from "#domain/names/slug.ts";
import { type ClientFields, clientFieldEntries, fieldsOfBody } from "#domain/settings/client.ts";
import { type ClientState, gateRefusal } from "#domain/tenants/instance-state.ts";
import type { Client, clientRoutes } from "#workers/contracts/api/tenants/clients.ts";
import { RateLimits } from "#workers/shared/rate-limits.ts";
import { pageOf } from "../../http/cursors.ts";
import { failure, invalidInput } from "../../http/failure.tsx";
import { requireOwn } from "../../http/git-owned.ts";
import { tooOften } from "../../http/network-limit.ts";
import type { Call, Handlers } from "../../http/serve.ts";
import type { Caller } from "../../identity/caller.ts";
import { requireUnchanged } from "../changed-by.ts";
import { changePlan } from "../instances/operations.ts";
import { requirePartner } from "../partners/required.ts";
import { requireClient } from "../required.ts";
import { clientBody } from "./body.ts";
import { changed, lock } from "./changing.ts";
import { deletionHandlers } from "./deletion.ts";
import { exportClient } from "./export/export.ts";
import { forgetTenant } from "./forgetting.ts";
import { freezingHandlers } from "./freezing.ts";
import { previewClient } from "./preview.ts";
import { slugInGrace } from "./slug-in-grace.ts";
import { viewConsole } from "./viewing.ts";

/** Rate limit of previews by partner root, because they reveal which slugs are in use. */
const previews = new RateLimits({ burst: 60, perSecond: 0.5 });

/** Returns the partner of a new client. @throws Failure `forbidden` for a partner root with another partner */
function partnerFor(caller: Caller, named: string | null | undefined): string | null {
  if (caller.role === "ROOT") return named ?? null;
  if (named !== undefined && named !== null && named !== caller.partnerId) {
    throw failure(clientErrors.client_of_other_partner);
  }
  return caller.partnerId ?? null;
}

/** @throws Failure `forbidden` for a field that partner roots cannot change */
function requirePartnerFields(fields: ClientFields): void {
  for (const [name, { rootOnly: what }] of clientFieldEntries) {
    if (what !== undefined && fields[name] !== undefined)
      throw failure(clientErrors.client_field_requires_root, { what });
  }
}

export const clientHandlers: Handlers<typeof clientRoutes> = {
  async listClients({ db, settings, query }) {
    const order = parseOrder(query.sort) as ClientOrder;
    const filter = {
      status: query.status,
      billingPlan: query.billing_plan,
      instanceStatus: query.instance_status,
      partnerId: query.partner_id,
      search: query.search,
    };
    const isFiltered = Object.values(filter).some((value) => value !== undefined);
    const [page, total] = await Promise.all([
      pageOf(query, (place) => listClients(db, settings.ENVIRONMENT, { ...place, order, filter }), {
        body: clientBody,
        placeOf: (client) => placeOf(client, order),
      }),
      isFiltered ? undefined : countClients(db, settings.ENVIRONMENT),
    ]);
    return total === undefined ? page : { ...page, pagination: { ...page.pagination, total } };
  },

  async previewClient({ db, settings, query, caller }) {
    const { slug, billing_plan: plan, partner_id } = query;
    const who = await caller;
    const wait = who.partnerId === undefined ? 0 : previews.take(who.id, Date.now());
    if (wait > 0) throw tooOften(wait);
    const partnerId = partnerFor(who, partner_id);
    await requirePartner(db, partnerId);
    return previewClient(db, settings, { slug, plan, partnerId });
  },

  async getClient({ db, settings, params }) {
    return clientBody(await requireClient(db, settings.ENVIRONMENT, params.client_id));
  },

  async createClient({ db, settings, body, caller }) {
    const { slug, name = slug, billing_plan } = body;
    const fault = newSlugFault(slug) ?? labelFault(slug, settings.ENVIRONMENT);
    if (fault !== undefined) throw invalidInput("body", { slug: [fault] });
    const partner_id = partnerFor(caller, body.partner_id);
    await requirePartner(db, partner_id);
    const holder = await findDeletedHolder(db, settings.ENVIRONMENT, slug);
    if (holder !== undefined) throw slugInGrace(slug, holder);
    const id = await insertClient(db, { slug, name, billingPlan: billing_plan, partnerId: partner_id });
    return changed(db, settings, id, { change: "created", caller });
  },

  async updateClient({ db, settings, body, caller, expected }) {
    const { id, name, billing_plan, status, partner_id, ...rest } = body;
    const fields = fieldsOfBody(rest);
    const found = await lock(db, settings.ENVIRONMENT, id);
    await requireUnchanged(db, expected, { entity: "clients", ...found }, caller);
    requireOwn(`The client ${found.slug}`, found, found.slug);
    if (partner_id !== undefined && caller.role !== "ROOT" && partner_id !== caller.partnerId) {
      throw failure(clientErrors.client_move_requires_root);
    }
    if (caller.role !== "ROOT") requirePartnerFields(fields);
    if (partner_id !== undefined) await requirePartner(db, partner_id);
    // A job also changes the plan of the instance's Worker.
    const instance = found.instance && (await findInstance(db, settings.ENVIRONMENT, { id: found.instance.id }));
    if (billing_plan !== undefined && instance) {
      await changePlan(db, settings.ENVIRONMENT, instance, { to: billing_plan, caller });
    }
    await updateClient(db, id, {
      name,
      billingPlan: billing_plan,
      status,
      partnerId: partner_id,
      fields,
    });
    if (status !== undefined && isOpen(found, status) !== isOpen(found, found.status)) {
      await forgetTenant(db, found, caller);
    }
    return changed(db, settings, id, { change: "changed", caller, before: found.partner });
  },

  setMaintenanceWindow: changeOwnField,

  setCanary: changeOwnField,

  viewClient: viewConsole,

  exportClient,
  ...deletionHandlers,
  ...freezingHandlers,

  async getClientPartner({ db, settings, params }) {
    return (await requireClient(db, settings.ENVIRONMENT, params.client_id)).partner;
  },
};

/** Changes a field that an ADMIN of the client may change, too. */
async function changeOwnField({
  db,
  settings,
  params,
  body,
  caller,
  expected,
}: Call<(typeof clientRoutes)["setMaintenanceWindow" | "setCanary"]>): Promise<Client> {
  const found = await lock(db, settings.ENVIRONMENT, params.client_id);
  await requireUnchanged(db, expected, { entity: "clients", ...found }, caller);
  requireOwn(`The client ${found.slug}`, found, found.slug, caller);
  await updateClient(db, found.id, { fields: fieldsOfBody(body) });
  return changed(db, settings, found.id, { change: "changed", caller });
}

/** Whether the client's instance passes the routing gate with that status of the client. */
const isOpen = ({ instance }: ListedClient, status: ClientState) =>
  instance !== null && gateRefusal(instance.environment, status, instance.status) === undefined;
