import { ProviderKeysCard } from "#workers/dashboard/ui/pages/clients/provider-keys/provider-keys-card.tsx";
import { UsageCard } from "#workers/dashboard/ui/pages/clients/usage/usage.tsx";
import { TenantPage } from "../../tenant-page.tsx";
import { UsageChange } from "./usage-change.tsx";

export default function Models() {
  return (
    <TenantPage title="Models" about="What the agent spends on models and uses otherwise, and your own provider keys.">
      {({ client, instance }) => (
        <>
          <UsageChange clientId={client.id} />
          <UsageCard clientId={client.id} address="/models" />
          <ProviderKeysCard instanceId={instance.id} />
        </>
      )}
    </TenantPage>
  );
}
