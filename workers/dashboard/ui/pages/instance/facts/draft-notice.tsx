import { type Client, clientRoutes } from "#workers/contracts/api/tenants/clients.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { Button } from "#workers/dashboard/ui/kit/button.tsx";
import { Notice } from "#workers/dashboard/ui/kit/notice.tsx";
import { Fault } from "#workers/dashboard/ui/kit/states.tsx";

export function DraftNotice({ client: { id, name, managed_by, version } }: { client: Client }) {
  const activate = useChange(clientRoutes.updateClient, {
    also: ["instances"],
    success: `${name} activated`,
  });
  return (
    <Notice
      tone="info"
      title="The client is a draft"
      actions={
        managed_by === "dashboard" ? (
          <Button
            busy={activate.isPending}
            onClick={() => activate.mutate({ body: { id, status: "active" }, version })}
          >
            Activate client
          </Button>
        ) : undefined
      }
    >
      <p>The tenant accepts no traffic until the client is active. Billing starts then.</p>
      <Fault error={activate.error} />
    </Notice>
  );
}
