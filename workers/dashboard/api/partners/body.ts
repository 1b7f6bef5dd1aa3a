/** A partner as the API shows it. */
import type { ListedPartner } from "#database/people/partners.ts";
import type { Partner } from "#workers/contracts/api/people/partners.ts";
import { declaredIn } from "../../http/git-owned.ts";

export function partnerBody({ owner, created_at, updated_at, ...partner }: ListedPartner): Partner {
  const { id, slug, name, managed_by, clients, version } = partner;
  return {
    id,
    slug,
    name,
    managed_by,
    declared_in: declaredIn({ managed_by, owner }),
    clients,
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
    version,
  };
}
