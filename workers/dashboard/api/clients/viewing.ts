import { recordConsoleView } from "#database/console/person.ts";
import { CONSOLE_PATH } from "#domain/access/access-addresses.ts";
import { clientErrors } from "#domain/errors/api/clients.ts";
import { requestErrors } from "#domain/errors/api/requests.ts";
import type { clientRoutes } from "#workers/contracts/api/tenants/clients.ts";
import { sealTicket } from "#workers/shared/access/console-ticket.ts";
import { doorKeysOf } from "../../env.ts";
import { failure } from "../../http/failure.tsx";
import type { Handler } from "../../http/serve.ts";
import { requireClient } from "../required.ts";

/** The address is sent after the audit entry was committed. */
export const viewConsole: Handler<typeof clientRoutes.viewClient> = async ({
  db,
  settings,
  params,
  caller,
  request,
}) => {
  const { slug, instance } = await requireClient(db, settings.ENVIRONMENT, params.client_id);
  if (instance === null) throw failure(clientErrors.client_without_console, { slug });
  if (!(await recordConsoleView(db, params.client_id))) throw failure(requestErrors.platform_root_required);
  const ticket = await sealTicket(doorKeysOf(settings), { use: "view-entry", slug }, caller.email);
  return { url: new URL(`${CONSOLE_PATH}/${slug}/enter?ticket=${ticket}`, request.url).href };
};
