import { UsersCard } from "#workers/dashboard/ui/pages/clients/users/users.tsx";
import { TenantPage } from "../../tenant-page.tsx";
import { OwnTokens } from "./own-tokens.tsx";
import { PairedDevices } from "./paired-devices.tsx";

export default function People() {
  return (
    <TenantPage title="People" about="Who may use the agent, and which programs and devices reach it in their name.">
      {({ client, instance }) => (
        <>
          <UsersCard client={client} />
          <OwnTokens />
          <PairedDevices instance={instance} />
        </>
      )}
    </TenantPage>
  );
}
