import { ExportCard } from "#workers/dashboard/ui/pages/clients/settings/export-card.tsx";
import { TenantPage } from "../../tenant-page.tsx";
import { DeleteCard } from "./delete-card.tsx";
import { FreezeCard } from "./freeze-card.tsx";

export default function Danger() {
  return (
    <TenantPage title="Export and delete" about="Export all data, stop the agent, or delete it.">
      {({ client }) => (
        <>
          {client.delete_after === null ? <FreezeCard client={client} /> : <DeleteCard client={client} />}
          <ExportCard client={client} />
          {client.delete_after === null ? <DeleteCard client={client} /> : null}
        </>
      )}
    </TenantPage>
  );
}
