/** A partner as the API shows it. */
import type { ListedPartner } from "../../../../database/people/partners.ts";
import type { Partner } from "../../../contracts/api/partners.ts";

export function partnerBody({ id, slug, name, managed_by, created_at, updated_at, version }: ListedPartner): Partner {
  const [created, updated] = [created_at.toISOString(), updated_at.toISOString()];
  return { id, slug, name, managed_by, created_at: created, updated_at: updated, version };
}
