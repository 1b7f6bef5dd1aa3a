import { findPartnerName } from "#database/people/partners.ts";
import { RELEASE } from "#domain/release.ts";
import type { sessionRoutes } from "#workers/contracts/api/people/session.ts";
import { brandOf } from "#workers/contracts/brand.ts";
import type { Settings } from "../../env.ts";
import type { Handlers } from "../../http/serve.ts";
import type { CallersTenant } from "../../identity/caller.ts";
import { tenantUrl } from "../../page/tenant-url.ts";

export const sessionHandlers: Handlers<typeof sessionRoutes> = {
  async getSession({ db, caller, settings, request }) {
    const { id, email, name, role, partnerId, tenant } = await caller;
    const partner = partnerId === undefined ? null : await findPartnerName(db, partnerId);
    if (partner === undefined) throw new Error(`The partner ${partnerId} of user ${id} was not found.`);
    return {
      user: { id, email, name, role },
      partner,
      tenant: tenant === undefined ? null : sessionTenant(settings, tenant, new URL(request.url)),
      environment: settings.ENVIRONMENT,
      version: RELEASE,
      platform_domain: settings.PLATFORM_DOMAIN,
      notice: settings.NOTICE ?? null,
    };
  },
};

function sessionTenant({ ENVIRONMENT, PLATFORM_DOMAIN: domain }: Settings, tenant: CallersTenant, url: URL) {
  const { clientId, instanceId, slug, name, brand, readOnly } = tenant;
  return {
    client: { id: clientId, slug, name },
    instance_id: instanceId,
    address: tenantUrl(slug, ENVIRONMENT, { url, domain }),
    brand: brandOf(brand, url.origin),
    read_only: readOnly,
  };
}
