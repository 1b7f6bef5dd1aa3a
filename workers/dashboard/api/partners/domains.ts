/** Hosts that are a partner's own. */
import { type ListedDomain, listDomains } from "#database/people/partners.ts";
import type { PartnerDomain, partnerRoutes } from "#workers/contracts/api/partners.ts";
import { pageOf, placeAfter } from "../../http/cursors.ts";
import { Failure } from "../../http/failure.tsx";
import type { Handlers } from "../../http/serve.ts";
import { partnerAt } from "./required.ts";

type DomainRoutes = Pick<typeof partnerRoutes, "listPartnerDomains" | "addPartnerDomain" | "removePartnerDomain">;

function domainBody({ id, hostname, verified_at, created_at }: Omit<ListedDomain, "created_text">): PartnerDomain {
  return { id, hostname, verified_at: verified_at?.toISOString() ?? null, created_at: created_at.toISOString() };
}

export const domainHandlers: Handlers<DomainRoutes> = {
  async listPartnerDomains({ db, settings, params, query }) {
    const { id } = await partnerAt(db, settings.ENVIRONMENT, params.partner_id);
    const { limit } = query;
    const found = await listDomains(db, id, { limit: limit + 1, after: placeAfter(query.after) });
    return pageOf(found, { limit, body: domainBody, placeOf: (domain) => [domain.created_text, domain.id] });
  },

  async addPartnerDomain({ db, settings, params, body }) {
    const { id: partner_id } = await partnerAt(db, settings.ENVIRONMENT, params.partner_id);
    const { hostname } = body;
    if (hostname === settings.PLATFORM_DOMAIN || hostname.endsWith(`.${settings.PLATFORM_DOMAIN}`)) {
      throw new Failure("conflict", "Hosts of the platform's own domain are tenants': choose one of the partner's.");
    }
    const added = await db
      .insertInto("tenantry.partner_domains")
      .values({ partner_id, hostname })
      .returning(["id", "hostname", "verified_at", "created_at"])
      .executeTakeFirstOrThrow();
    return domainBody(added);
  },

  async removePartnerDomain({ db, params }) {
    const { partner_id, domain_id } = params;
    const removed = await db
      .deleteFrom("tenantry.partner_domains")
      .where("id", "=", domain_id)
      .where("partner_id", "=", partner_id)
      .returning("id")
      .executeTakeFirst();
    if (removed === undefined) throw new Failure("not_found", "The partner has no such host.");
  },
};
