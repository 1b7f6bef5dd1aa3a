import { useNavigate, useSearch } from "@tanstack/react-router";
import { ProviderKeysCard } from "#workers/dashboard/ui/pages/clients/provider-keys/provider-keys-card.tsx";
import { modelsSearch } from "#workers/dashboard/ui/pages/clients/search.ts";
import { UsageCard } from "#workers/dashboard/ui/pages/clients/usage/usage.tsx";
import { TenantPage } from "../../tenant-page.tsx";
import { CallsCard } from "./calls-card.tsx";
import { CallsLink, isOfCalls } from "./calls-link.tsx";
import { CapCard } from "./cap-card.tsx";
import { periodDays, periodOf } from "./period.ts";
import { PeriodChoice } from "./period-choice.tsx";
import { SpendingCard } from "./spending-card.tsx";
import { UsageChange } from "./usage-change.tsx";

const ADDRESS: string = "/models";

export default function Models() {
  const search = modelsSearch.parse(useSearch({ strict: false }));
  const { month, days, day } = search;
  const navigate = useNavigate();
  const period = periodOf(search);
  const change = (part: object) =>
    void navigate({
      to: ADDRESS,
      search: (before: object) => ({ ...before, ...part }),
      replace: true,
      resetScroll: false,
    });
  return (
    <TenantPage
      title="Models"
      about="What the agent spends on AI models and uses otherwise, its cap, your own provider keys and all calls."
    >
      {({ client, instance }) => (
        <>
          <PeriodChoice
            value={month === undefined ? { days: periodDays(days) } : { month }}
            period={period}
            onChange={change}
          />
          <UsageChange clientId={client.id} period={period} search={search} />
          <SpendingCard clientId={client.id} period={period} />
          <UsageCard
            clientId={client.id}
            address={ADDRESS}
            chosen={period.days}
            causeOf={(metric, of) => (isOfCalls(metric) ? <CallsLink day={of} search={search} /> : null)}
          />
          <CapCard clientId={client.id} />
          <ProviderKeysCard instanceId={instance.id} />
          <CallsCard clientId={client.id} day={day} onDay={(chosen) => change({ day: chosen })} />
        </>
      )}
    </TenantPage>
  );
}
