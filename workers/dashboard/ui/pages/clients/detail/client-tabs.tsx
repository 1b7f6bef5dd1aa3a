import type { Client } from "#workers/contracts/api/tenants/clients.ts";
import { clientAddress, instanceAddress } from "#workers/dashboard/ui/kit/addresses.ts";
import { Tabs } from "#workers/dashboard/ui/kit/layout/tabs.tsx";

export function ClientTabs({ client: { id, name } }: { client: Pick<Client, "id" | "name"> }) {
  const at = clientAddress(id);
  return (
    <Tabs
      label={`Pages of ${name}`}
      tabs={[
        { name: "Overview", to: at },
        { name: "Instance", to: instanceAddress(id) },
        { name: "Webhooks", to: `${at}/webhooks` },
        { name: "Network", to: `${at}/network` },
        { name: "Users", to: `${at}/users` },
        { name: "Usage", to: `${at}/usage` },
        { name: "Billing", to: `${at}/billing` },
        { name: "Settings", to: `${at}/settings` },
      ]}
    />
  );
}
