import { deleteDomain, insertDomain, type ListedDomain, listDomains } from "#database/people/partner-domains.ts";
import { partnerErrors } from "#domain/errors/api/partners.ts";
import type { PartnerDomain, partnerRoutes } from "#workers/contracts/api/people/partners.ts";
import { pageOf } from "../../http/cursors.ts";
import { failure } from "../../http/failure.tsx";
import type { Handlers } from "../../http/serve.ts";
import { partnerAt } from "./required.ts";

type DomainRoutes = Pick<typeof partnerRoutes, "listPartnerDomains" | "addPartnerDomain" | "removePartnerDomain">;

const domainBody = ({ id, hostname, verified_at, created_at }: Omit<ListedDomain, "created_text">): PartnerDomain => ({
  id,
  hostname,
  verified_at: verified_at?.toISOString() ?? null,
  created_at: created_at.toISOString(),
});

export const domainHandlers: Handlers<DomainRoutes> = {
  async listPartnerDomains({ db, settings, params, query }) {
    const { id } = await partnerAt(db, settings.ENVIRONMENT, params.partner_id);
    return pageOf(query, (page) => listDomains(db, id, page), {
      body: domainBody,
      placeOf: (domain) => [domain.created_text, domain.id],
    });
  },

  async addPartnerDomain({ db, settings, params, body }) {
    const { id: partnerId } = await partnerAt(db, settings.ENVIRONMENT, params.partner_id);
    const { hostname } = body;
    if (hostname === settings.PLATFORM_DOMAIN || hostname.endsWith(`.${settings.PLATFORM_DOMAIN}`)) {
      throw failure(partnerErrors.partner_domain_of_platform);
    }
    return domainBody(await insertDomain(db, { partnerId, hostname }));
  },

  async removePartnerDomain({ db, params }) {
    const { partner_id, domain_id } = params;
    const isRemoved = await deleteDomain(db, { partnerId: partner_id, domainId: domain_id });
    if (!isRemoved) throw failure(partnerErrors.partner_domain_not_found);
  },
};
