import { serviceTokenErrors as errors } from "#domain/errors/api/service-tokens.ts";
import type { consoleTokenRoutes } from "#workers/contracts/api/console/tokens.ts";
import { requireFound } from "../../http/failure.tsx";
import type { Handlers } from "../../http/serve.ts";
import { TenantOrders } from "../../tenants/tenant-orders.ts";
import { createToken, findTokens, revokeToken } from "./tokens.ts";

export const consoleTokenHandlers: Handlers<typeof consoleTokenRoutes> = {
  listConsoleTokens: ({ db, caller }) => findTokens(db, caller),

  async createConsoleToken({ db, settings, params: { id }, body, caller, origin, actOutside }) {
    const wanted = { ...body, id, client_user_id: body.client_user_id ?? caller.id };
    actOutside();
    const client_secret = await createToken(db, settings, { user: caller, wanted, origin });
    const { tokens } = await findTokens(db, caller);
    const created = requireFound(
      tokens.find((token) => token.id === id),
      errors.service_token_not_found,
    );
    return { ...created, client_secret };
  },

  async revokeConsoleToken({ db, settings, params: { slug, id }, caller, origin, runAfterCommit }) {
    await revokeToken(db, caller, { id, origin });
    // As after a revocation by an operator.
    runAfterCommit(() => new TenantOrders(settings).forget(slug).catch(() => undefined));
  },
};
