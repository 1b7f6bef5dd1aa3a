import { Archive } from "lucide-react";
import { BackUpButton } from "#workers/dashboard/ui/pages/instance/actions/back-up-button.tsx";
import { BackupsCard } from "#workers/dashboard/ui/pages/instance/backups/backups-card.tsx";
import { TenantPage } from "../tenant-page.tsx";

export default function Backups() {
  return (
    <TenantPage
      title="Backups"
      about="Copies of all that the agent stores. To undo a change, restore a backup from before it."
      actions={({ instance }) =>
        instance.status === "running" ? (
          <BackUpButton instance={instance} icon={<Archive aria-hidden="true" />} />
        ) : null
      }
    >
      {({ instance }) => <BackupsCard instance={instance} />}
    </TenantPage>
  );
}
