import { findPartnerName } from "#database/people/partners.ts";
import { RELEASE } from "#domain/release.ts";
import type { sessionRoutes } from "#workers/contracts/api/people/session.ts";
import type { Handlers } from "../../http/serve.ts";

export const sessionHandlers: Handlers<typeof sessionRoutes> = {
  async getSession({ db, caller, settings }) {
    const { id, email, name, role, partnerId } = await caller;
    const partner = partnerId === undefined ? null : await findPartnerName(db, partnerId);
    if (partner === undefined) throw new Error(`The partner ${partnerId} of user ${id} was not found.`);
    return {
      user: { id, email, name, role },
      partner,
      environment: settings.ENVIRONMENT,
      version: RELEASE,
      platform_domain: settings.PLATFORM_DOMAIN,
      notice: settings.NOTICE ?? null,
    };
  },
};
