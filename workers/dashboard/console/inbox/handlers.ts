/** The tenant's inbox for its ADMINs, who are recorded before the tenant receives an order. */

import { recordInboxOrder } from "#database/console/inbox.ts";
import type { ConsoleUser } from "#database/console/person.ts";
import type { InboxOrder } from "#database/doors/inbox-orders.ts";
import { consoleErrors } from "#domain/errors/api/console.ts";
import { requestErrors } from "#domain/errors/api/requests.ts";
import type { consoleInboxRoutes } from "#workers/contracts/api/console/inbox.ts";
import { exportedInbox, listedInbox } from "../../api/doors/inbox.ts";
import { failure } from "../../http/failure.tsx";
import { isForeign } from "../../http/same-origin.ts";
import type { Call, Handlers } from "../../http/serve.ts";
import { limitChanges } from "../../identity/tenant-user.ts";
import { TenantOrders } from "../../tenants/tenant-orders.ts";

type Routes = typeof consoleInboxRoutes;

export const consoleInboxHandlers: Handlers<Routes> = {
  listConsoleInbox: ({ settings, params: { slug }, query }) => listedInbox(settings, slug, query),

  replayConsoleInbox: (call) => change(call, "replay"),

  dropConsoleInbox: (call) => change(call, "drop"),

  async exportConsoleInbox(call) {
    const { settings, params, query, caller, request } = call;
    // It is recorded as a change, although a browser opens it as a link.
    if (isForeign(request)) throw failure(requestErrors.foreign_origin);
    limitChanges(caller);
    await record(call, caller, "export", query);
    return exportedInbox(settings, params.slug, query.state);
  },
};

async function change(
  call: Call<Routes["replayConsoleInbox"]> | Call<Routes["dropConsoleInbox"]>,
  order: "replay" | "drop",
) {
  const { settings, params, body, caller } = call;
  await record(call, caller, order, body);
  return new TenantOrders(settings).changeInbox(params.slug, order, body);
}

async function record(
  { db, origin, actOutside }: Pick<Call<Routes["exportConsoleInbox"]>, "db" | "origin" | "actOutside">,
  user: ConsoleUser,
  order: InboxOrder,
  details: object,
): Promise<void> {
  actOutside();
  const recorded = await recordInboxOrder(db, user, { order, details, ...origin });
  if (!recorded) throw failure(consoleErrors.console_admin_required);
}
