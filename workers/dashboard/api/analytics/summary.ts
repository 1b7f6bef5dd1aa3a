import type { ClientSummary } from "#database/tenants/clients.ts";
import { usageMetrics } from "#domain/billing/usage-metric.ts";
import { groupsBy } from "#domain/groups.ts";
import { clientStates, instanceStates } from "#domain/tenants/instance-state.ts";
import { type GlobalAnalytics, TOP, type Usage } from "#workers/contracts/api/analytics.ts";
import { addUsage, type TenantUsage } from "./usage-queries.ts";

const NOTHING = Object.fromEntries(usageMetrics.map((metric) => [metric, 0])) as Usage;
const totalUsage = (usages: readonly Usage[]): Usage => usages.reduce((sum, usage) => addUsage(sum, usage), NOTHING);

type Figures = Pick<GlobalAnalytics, "tenants" | "usage" | "top" | "partners">;

/**
 * Summarizes tenants and their usage.
 *
 * @param used usage by tenant. `all` includes deleted tenants and earlier clients with the same slugs; `own` does not
 * @param byPartner whether to add an entry per partner
 */
export function summarizeUsage(
  clients: readonly ClientSummary[],
  used: { all: readonly TenantUsage[]; own: readonly TenantUsage[] },
  byPartner: boolean,
): Figures {
  const usageOf = new Map(used.own.map((usage) => [usage.slug, usage]));
  const count = <T extends string>(states: readonly T[], stateOf: (client: ClientSummary) => T) => {
    const counts = Object.fromEntries(states.map((state) => [state, 0])) as Record<T, number>;
    for (const client of clients) counts[stateOf(client)] += 1;
    return counts;
  };
  const sums = (of: readonly TenantUsage[]) => ({
    current: totalUsage(of.map(({ current }) => current)),
    previous: totalUsage(of.map(({ previous }) => previous)),
  });
  const ranked = clients
    .map((client) => ({ client, usage: usageOf.get(client.slug)?.current ?? NOTHING }))
    .filter(({ usage }) => usageMetrics.some((metric) => usage[metric] > 0))
    .toSorted(
      (a, b) =>
        b.usage.ai_spend - a.usage.ai_spend ||
        b.usage.container_uptime - a.usage.container_uptime ||
        (a.client.slug < b.client.slug ? -1 : 1),
    );
  return {
    tenants: {
      total: clients.length,
      by_client_status: count(clientStates, ({ status }) => status),
      by_instance_status: count([...instanceStates, "none"], ({ instanceStatus }) => instanceStatus ?? "none"),
    },
    usage: sums(used.all),
    top: ranked.slice(0, TOP).map(({ client: { id, slug, name, partner }, usage }) => ({
      client_id: id,
      slug,
      name,
      partner_id: partner?.id ?? null,
      usage,
    })),
    partners: byPartner
      ? partnerSegments(clients, (of) => sums(of.flatMap(({ slug }) => usageOf.get(slug) ?? [])))
      : null,
  };
}

function partnerSegments(
  clients: readonly ClientSummary[],
  sums: (of: readonly ClientSummary[]) => { current: Usage; previous: Usage },
): GlobalAnalytics["partners"] {
  // Internal clients have the key "", which no partner has.
  const groups = groupsBy(clients, ({ partner }) => partner?.id ?? "");
  return [...groups.values()]
    .map((of) => ({ partner: of[0].partner, tenants: of.length, usage: sums(of) }))
    .toSorted((a, b) => ((a.partner?.slug ?? "") < (b.partner?.slug ?? "") ? -1 : 1));
}
