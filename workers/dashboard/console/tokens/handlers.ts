import type { ConsoleUser } from "#database/console/tokens.ts";
import { serviceTokenErrors as errors } from "#domain/errors/api/service-tokens.ts";
import type { consoleTokenRoutes } from "#workers/contracts/api/console/tokens.ts";
import { RateLimits } from "#workers/shared/rate-limits.ts";
import type { Settings } from "../../env.ts";
import { requireFound } from "../../http/failure.tsx";
import { tooOften } from "../../http/network-limit.ts";
import type { Handlers } from "../../http/serve.ts";
import { TenantOrders } from "../../tenants/tenant-orders.ts";
import { requireSession } from "../session.ts";
import { createToken, findTokens, revokeToken } from "./tokens.ts";

/** Changes of one user. Each creation is a request to Cloudflare, and can send a mail. */
const changes = new RateLimits({ burst: 20, perSecond: 1 / 30 });

export const consoleTokenHandlers: Handlers<typeof consoleTokenRoutes> = {
  async listConsoleTokens({ db, settings, params: { slug }, request }) {
    const email = await requireSession(settings, slug, request);
    const { partner: _, ...tokens } = await findTokens(db, { slug, email });
    return tokens;
  },

  async createConsoleToken({ db, settings, params: { slug, id }, body, request, actOutside }) {
    const user = await changingUser(settings, slug, request);
    const { user_id } = await findTokens(db, user);
    const wanted = { ...body, id, client_user_id: body.client_user_id ?? user_id };
    actOutside();
    const client_secret = await createToken(db, settings, { user, wanted, origin: originOf(request) });
    const { tokens } = await findTokens(db, user);
    const created = requireFound(
      tokens.find((token) => token.id === id),
      errors.service_token_not_found,
    );
    return { ...created, client_secret };
  },

  async revokeConsoleToken({ db, settings, params: { slug, id }, request, runAfterCommit }) {
    const user = await changingUser(settings, slug, request);
    await revokeToken(db, user, { id, origin: originOf(request) });
    // As after a revocation by an operator.
    runAfterCommit(() => new TenantOrders(settings).forget(slug).catch(() => undefined));
  },
};

/** @throws Failure `authentication_required`, or `limit_exceeded` */
async function changingUser(settings: Settings, slug: string, request: Request): Promise<ConsoleUser> {
  const email = await requireSession(settings, slug, request);
  const wait = changes.take(`${slug} ${email}`, Date.now());
  if (wait > 0) throw tooOften(wait);
  return { slug, email };
}

const originOf = ({ headers }: Request) => ({
  source: headers.get("cf-connecting-ip") ?? "",
  requestId: headers.get("cf-ray") ?? crypto.randomUUID(),
});
