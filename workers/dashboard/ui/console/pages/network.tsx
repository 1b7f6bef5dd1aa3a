import { Policies } from "#workers/dashboard/ui/pages/clients/network/network.tsx";
import { TenantPage } from "../tenant-page.tsx";

export default function Network() {
  return (
    <TenantPage
      title="Network"
      about="Which hosts on the internet the agent may reach. Change nothing here unless you want to limit them."
    >
      {({ client, instance }) => <Policies instanceId={instance.id} declared={client.managed_by === "git"} />}
    </TenantPage>
  );
}
