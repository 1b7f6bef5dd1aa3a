import { type Client, clientRoutes } from "#workers/contracts/api/tenants/clients.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { Button } from "#workers/dashboard/ui/kit/button.tsx";
import { Notice } from "#workers/dashboard/ui/kit/notice.tsx";
import { Fault } from "#workers/dashboard/ui/kit/states.tsx";
import { toast } from "#workers/dashboard/ui/kit/toast/toast.ts";

/** What keeps traffic from the tenant of a client that is no more than a draft, and the way out of it. */
export function DraftNotice({ client: { id, name, managed_by, version } }: { client: Client }) {
  const activate = useChange(clientRoutes.updateClient, {
    also: ["instances"],
    onDone: () => toast({ title: `${name} takes traffic` }),
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
            Make it active
          </Button>
        ) : undefined
      }
    >
      <p>Its tenant takes no traffic until the client is active. From then on it is billed too.</p>
      <Fault error={activate.error} />
    </Notice>
  );
}
