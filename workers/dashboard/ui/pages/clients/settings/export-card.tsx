import { Download } from "lucide-react";
import { type Client, clientRoutes } from "#workers/contracts/api/tenants/clients.ts";
import { addressOf } from "#workers/dashboard/ui/api/ask.ts";
import { useIsReadOnly } from "#workers/dashboard/ui/api/session.ts";
import { ButtonAnchor } from "#workers/dashboard/ui/kit/button.tsx";
import { Card } from "#workers/dashboard/ui/kit/layout/card.tsx";

export function ExportCard({ client }: { client: Client }) {
  const readOnly = useIsReadOnly();
  return (
    <Card
      title="Export everything"
      about="One archive with the newest backup, the configuration without secrets, the history and the list of changes. Its last file lists the content; an archive without it is incomplete."
      actions={
        readOnly ? undefined : (
          <ButtonAnchor href={addressOf(clientRoutes.exportClient, { params: { client_id: client.id } })} download>
            <Download aria-hidden="true" /> Download export
          </ButtonAnchor>
        )
      }
      flush
    >
      <p className="px-4 pb-4 text-quiet">
        To include the latest changes, back up first. Secrets, such as keys of providers, must be stored again
        elsewhere.
      </p>
    </Card>
  );
}
