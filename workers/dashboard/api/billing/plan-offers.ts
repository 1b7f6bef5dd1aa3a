/** The plans that a client can have, with their prices for it. */
import type { Kysely } from "kysely";
import type * as z from "zod";
import { planFees } from "#database/billing/plan-fees.ts";
import type { ListedClient } from "#database/tenants/clients.ts";
import type { KnownInstance } from "#database/tenants/instances.ts";
import type { DB } from "#database/types.ts";
import { billingMonth, dayOf } from "#domain/billing/billing-month.ts";
import { jsonMicros } from "#domain/billing/money.ts";
import { planPrice } from "#domain/billing/plan-change.ts";
import { clientErrors } from "#domain/errors/api/clients.ts";
import { PLAN_AI_SPEND, type Plan, planLimits, plans } from "#domain/plans/plan.ts";
import { type InstanceType, instanceSize } from "#domain/tenants/instance-type.ts";
import type { planOffers } from "#workers/contracts/api/billing.ts";
import { requireFound } from "../../http/failure.tsx";
import { ownChangeRefusal } from "../instances/own-changes.ts";

type PlanOffers = z.infer<typeof planOffers>;

interface Offered {
  client: ListedClient;
  instance: KnownInstance | undefined;
  containers: Readonly<Record<Plan, InstanceType>>;
}

export async function offerPlans(db: Kysely<DB>, { client, instance, containers }: Offered): Promise<PlanOffers> {
  const { tariff, aiSpend } = requireFound(await planFees(db, client.id), clientErrors.client_not_found);
  const today = dayOf(new Date());
  const month = billingMonth(today.slice(0, 7));
  const now = planPrice(month, tariff, client.billing_plan, today);
  const offer = (plan: Plan): PlanOffers["data"][number] => {
    const price = planPrice(month, tariff, plan, today);
    const { memoryMiB, vcpu, diskGB } = instanceSize(containers[plan]);
    return {
      plan,
      monthly_micros: price === undefined ? null : jsonMicros(price.monthlyMicros),
      month_micros: price === undefined ? null : jsonMicros(price.monthMicros),
      month_change_micros:
        price === undefined || now === undefined ? null : jsonMicros(price.monthMicros - now.monthMicros),
      container: { memory_mib: memoryMiB, vcpu, disk_gb: diskGB },
      limits: { ...limitsOf(plan), ai_spend_usd: aiSpend === null ? PLAN_AI_SPEND[plan] : (aiSpend[plan] ?? null) },
    };
  };
  const refusal = instance && ownChangeRefusal({ client, instance });
  return {
    current: client.billing_plan,
    month_start: month.start,
    month_end: month.end,
    data: plans.map(offer),
    refusal: refusal?.message ?? null,
  };
}

function limitsOf(plan: Plan) {
  const { cpuMs, subrequests, storageBytes, sleepAfterSeconds, sleepsWithChannels, doors, inboxMessages } =
    planLimits(plan);
  return {
    cpu_ms: cpuMs,
    subrequests,
    backup_bytes: storageBytes ?? null,
    sleep_after_seconds: sleepAfterSeconds ?? null,
    sleeps_with_channels: sleepsWithChannels,
    doors,
    inbox_messages: inboxMessages,
  };
}
