import type { ListedPartner } from "#database/people/partners.ts";
import { bodyOf } from "#domain/entities/entity.ts";
import { partner } from "#domain/entities/partner.ts";
import type { Partner } from "#workers/contracts/api/people/partners.ts";
import { declaredIn } from "../../http/git-owned.ts";

/** A partner as the API shows it. */
export const partnerBody = (row: ListedPartner): Partner => bodyOf(partner, { ...row, declared_in: declaredIn(row) });
