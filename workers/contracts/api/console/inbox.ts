/** The inbox in the console: what an operator sees and does in the dashboard, a tenant's ADMIN does for the own tenant. */
import { CONSOLE_PATH } from "#domain/access/access-addresses.ts";
import { INBOX_EXPORT_TYPE } from "../../tenant/inbox.ts";
import { route, routes, TENANT_ADMINS } from "../route.ts";
import { doorRoutes } from "../tenants/doors.ts";
import { ofTenant } from "./tenant.ts";

const { listInbox, replayInbox, dropInbox, exportInbox } = doorRoutes;
const changeRefusals = ["limit_exceeded", ...listInbox.refusals] as const;

export const consoleInboxRoutes = routes("console inbox", {
  listConsoleInbox: route("get", `${CONSOLE_PATH}/:slug/inbox`, {
    summary: "List your tenant's inbox",
    callers: TENANT_ADMINS,
    params: ofTenant,
    query: listInbox.query,
    answer: listInbox.answer,
    refusals: listInbox.refusals,
  }),
  replayConsoleInbox: route("post", `${CONSOLE_PATH}/:slug/inbox/replay`, {
    summary: "Replay dead messages of your tenant",
    callers: TENANT_ADMINS,
    params: ofTenant,
    body: replayInbox.body,
    answer: replayInbox.answer,
    refusals: changeRefusals,
  }),
  dropConsoleInbox: route("post", `${CONSOLE_PATH}/:slug/inbox/drop`, {
    summary: "Drop messages of your tenant",
    callers: TENANT_ADMINS,
    params: ofTenant,
    body: dropInbox.body,
    answer: dropInbox.answer,
    refusals: changeRefusals,
  }),
  exportConsoleInbox: route("get", `${CONSOLE_PATH}/:slug/inbox/export`, {
    summary: "Export your tenant's inbox",
    callers: TENANT_ADMINS,
    params: ofTenant,
    query: exportInbox.query,
    produces: [INBOX_EXPORT_TYPE],
    refusals: changeRefusals,
  }),
});
