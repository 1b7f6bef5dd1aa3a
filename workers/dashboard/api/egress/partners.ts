/** Egress policies of partners, which bind all their tenants. */
import type { Kysely } from "kysely";
import { findPartnerEgress, type StoredPartnerEgress, setPartnerEgress } from "#database/egress/policies.ts";
import type { DB } from "#database/types.ts";
import type { Environment } from "#domain/environment.ts";
import { partnerErrors } from "#domain/errors/api/partners.ts";
import type { egressRoutes, PartnerEgress } from "#workers/contracts/api/tenants/egress.ts";
import { requireFound } from "../../http/failure.tsx";
import { declaredIn, requireOwn } from "../../http/git-owned.ts";
import type { Handlers } from "../../http/serve.ts";
import { requireUnchanged } from "../changed-by.ts";
import { sendPartnerEvent } from "../events.ts";
import { egressChannelsOf } from "./channels.ts";
import { requirePolicy } from "./policies.ts";

type PartnerRoutes = Pick<typeof egressRoutes, "getPartnerEgress" | "putPartnerEgress">;

async function requirePartnerEgress(
  db: Kysely<DB>,
  environment: Environment,
  id: string,
  options?: { lock: boolean },
): Promise<StoredPartnerEgress> {
  return requireFound(await findPartnerEgress(db, environment, id, options), partnerErrors.partner_not_found);
}

function partnerBody(found: StoredPartnerEgress): PartnerEgress {
  const { id: partner_id, policy, managed_by, version } = found;
  return { partner_id, policy, managed_by, declared_in: declaredIn(found), version };
}

export const partnerEgressHandlers: Handlers<PartnerRoutes> = {
  async getPartnerEgress({ db, settings, params }) {
    return partnerBody(await requirePartnerEgress(db, settings.ENVIRONMENT, params.partner_id));
  },

  async putPartnerEgress({ db, settings, params, body, caller, expected }) {
    const { ENVIRONMENT: environment } = settings;
    const found = await requirePartnerEgress(db, environment, params.partner_id, { lock: true });
    await requireUnchanged(db, expected, { entity: "partners", ...found }, caller);
    requireOwn(`The partner ${found.slug}`, found);
    const channels = body.policy === null ? [] : await egressChannelsOf(db, settings, { partnerId: found.id });
    await setPartnerEgress(db, found.id, body.policy && requirePolicy(settings, body.policy, channels));
    await sendPartnerEvent(db, found, { change: "changed", caller });
    return partnerBody(await requirePartnerEgress(db, environment, found.id));
  },
};
