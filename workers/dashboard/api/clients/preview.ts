/** Previews a client and its instance with the rules of their creation. */
import type { Kysely } from "kysely";
import { listPrices } from "#database/billing/prices.ts";
import { findPartner } from "#database/people/partners.ts";
import { findDeletedHolder, isSlugTaken } from "#database/tenants/clients.ts";
import type { DB } from "#database/types.ts";
import { dayOf } from "#domain/billing/billing-month.ts";
import { jsonMicros } from "#domain/billing/money.ts";
import { PriceMissing, priceOf } from "#domain/billing/price-list.ts";
import type { Environment } from "#domain/environment.ts";
import { tenantHostname } from "#domain/names/hostnames.ts";
import { labelFault, newSlugFault } from "#domain/names/slug.ts";
import type { Plan } from "#domain/plans/plan.ts";
import { instanceSize } from "#domain/tenants/instance-type.ts";
import type { NewClient } from "#workers/contracts/api/tenants/clients.ts";
import type { Settings } from "../../env.ts";
import { previewGateway } from "../instances/gateway-choice.ts";
import { graceFault } from "./slug-in-grace.ts";

export async function previewClient(
  db: Kysely<DB>,
  settings: Settings,
  { slug, plan, partnerId }: { slug: string; plan: Plan; partnerId: string | null },
): Promise<NewClient> {
  const { ENVIRONMENT: environment, PLATFORM_DOMAIN: domain } = settings;
  const malformed = newSlugFault(slug) ?? labelFault(slug, environment);
  const [partner, taken, holder, gateway, fee] = await Promise.all([
    partnerId === null ? undefined : findPartner(db, environment, partnerId),
    malformed === undefined && isSlugTaken(db, slug),
    malformed === undefined ? findDeletedHolder(db, environment, slug) : undefined,
    previewGateway(db, settings, slug),
    monthlyFee(db, environment, plan),
  ]);
  const slugMessage =
    holder === undefined ? (taken ? "belongs to another client; choose another slug" : malformed) : graceFault(holder);
  const type = settings.CONTAINERS[plan];
  const { memoryMiB, vcpu, diskGB } = instanceSize(type);
  return {
    slug,
    hostname: slugMessage === undefined ? tenantHostname(slug, environment, domain) : null,
    billing_plan: plan,
    partner: partner === undefined ? null : { id: partner.id, slug: partner.slug, name: partner.name },
    container: { type, memory_mib: memoryMiB, vcpu, disk_gb: diskGB },
    ai_gateway:
      "fault" in gateway
        ? null
        : {
            kind: gateway.kind,
            id: gateway.kind === "dedicated" && slugMessage !== undefined ? null : gateway.gatewayId,
          },
    monthly_fee_micros: fee,
    faults: [
      ...(slugMessage === undefined ? [] : [{ of: "slug" as const, message: slugMessage }]),
      ...("fault" in gateway ? [{ of: "ai_gateway" as const, message: gateway.fault }] : []),
    ],
  };
}

/** Returns the plan's fee as of today; null without a price. */
async function monthlyFee(db: Kysely<DB>, environment: Environment, plan: Plan): Promise<number | null> {
  try {
    return jsonMicros(priceOf(await listPrices(db, environment), plan, "flat_fee", dayOf(new Date())).micros);
  } catch (error) {
    if (error instanceof PriceMissing) return null;
    throw error;
  }
}
