/** Egress in the console, for a tenant's ADMINs. */
import { CONSOLE_PATH } from "#domain/access/access-addresses.ts";
import { route, routes, TENANT_ADMINS } from "../route.ts";
import { egressRoutes } from "../tenants/egress.ts";
import { ofTenant } from "./tenant.ts";

const { getEgress, putEgress, listEgressHosts, listEgressSecrets, createEgressSecret, deleteEgressSecret } =
  egressRoutes;

export const consoleEgressRoutes = routes("console egress", {
  getConsoleEgress: route("get", `${CONSOLE_PATH}/:slug/egress`, {
    summary: "Get your tenant's egress policies",
    callers: TENANT_ADMINS,
    params: ofTenant,
    answer: getEgress.answer,
    versioned: true,
  }),
  putConsoleEgress: route("put", `${CONSOLE_PATH}/:slug/egress`, {
    summary: "Set your tenant's egress policy",
    callers: TENANT_ADMINS,
    params: ofTenant,
    query: putEgress.query,
    body: putEgress.body,
    answer: putEgress.answer,
    refusals: ["limit_exceeded", ...putEgress.refusals],
    versioned: true,
  }),
  listConsoleEgressHosts: route("get", `${CONSOLE_PATH}/:slug/egress/hosts`, {
    summary: "List hosts that your tenant reached",
    callers: TENANT_ADMINS,
    params: ofTenant,
    answer: listEgressHosts.answer,
    refusals: listEgressHosts.refusals,
  }),
  listConsoleEgressSecrets: route("get", `${CONSOLE_PATH}/:slug/egress/secrets`, {
    summary: "List your tenant's egress secrets",
    callers: TENANT_ADMINS,
    params: ofTenant,
    answer: listEgressSecrets.answer,
  }),
  createConsoleEgressSecret: route("post", `${CONSOLE_PATH}/:slug/egress/secrets`, {
    summary: "Store an egress secret of your tenant",
    callers: TENANT_ADMINS,
    params: ofTenant,
    body: createEgressSecret.body,
    answer: createEgressSecret.answer,
    status: createEgressSecret.status,
    refusals: ["limit_exceeded", ...createEgressSecret.refusals],
  }),
  deleteConsoleEgressSecret: route("delete", `${CONSOLE_PATH}/:slug/egress/secrets/:secret_id`, {
    summary: "Delete an egress secret of your tenant",
    callers: TENANT_ADMINS,
    params: ofTenant.extend({ secret_id: deleteEgressSecret.params.shape.secret_id }),
    refusals: ["limit_exceeded"],
  }),
});
