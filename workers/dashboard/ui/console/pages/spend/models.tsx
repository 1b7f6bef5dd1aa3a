import { ProviderKeysCard } from "#workers/dashboard/ui/pages/clients/provider-keys/provider-keys-card.tsx";
import { UsageCard } from "#workers/dashboard/ui/pages/clients/usage/usage.tsx";
import { TenantPage } from "../../tenant-page.tsx";
import { CallsCard } from "./calls-card.tsx";
import { CapCard } from "./cap-card.tsx";
import { SpendingCard } from "./spending-card.tsx";
import { UsageChange } from "./usage-change.tsx";

export default function Models() {
  return (
    <TenantPage
      title="Models"
      about="What the agent spends on models and uses otherwise, its cap, your own provider keys and all calls."
    >
      {({ client, instance }) => (
        <>
          <UsageChange clientId={client.id} />
          <CapCard clientId={client.id} />
          <SpendingCard clientId={client.id} />
          <UsageCard clientId={client.id} address="/models" />
          <ProviderKeysCard instanceId={instance.id} />
          <CallsCard clientId={client.id} />
        </>
      )}
    </TenantPage>
  );
}
