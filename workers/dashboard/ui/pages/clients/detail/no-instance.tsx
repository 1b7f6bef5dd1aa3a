import { useNavigate } from "@tanstack/react-router";
import type { Client } from "#workers/contracts/api/tenants/clients.ts";
import { instanceRoutes } from "#workers/contracts/api/tenants/instances.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { instanceAddress } from "#workers/dashboard/ui/kit/addresses.ts";
import { Button } from "#workers/dashboard/ui/kit/button.tsx";
import { Card } from "#workers/dashboard/ui/kit/layout/card.tsx";
import { Fault } from "#workers/dashboard/ui/kit/states.tsx";
import { toast } from "#workers/dashboard/ui/kit/toast/toast.ts";

/** Provisions the instance of a client that has none. */
export function NoInstance({ client: { id, slug } }: { client: Client }) {
  const navigate = useNavigate();
  const provision = useChange(instanceRoutes.createInstance, {
    also: ["clients", "jobs", "AI gateways"],
    onDone: () => {
      toast({ title: `The instance of ${slug} is being provisioned` });
      void navigate({ to: instanceAddress(id) });
    },
  });
  return (
    <Card title="No instance yet" about="People reach its gateway once it has one.">
      <div className="flex flex-col items-start gap-3">
        <Fault error={provision.error} />
        <Button look="primary" busy={provision.isPending} onClick={() => provision.mutate({ body: { client_id: id } })}>
          Provision its instance
        </Button>
      </div>
    </Card>
  );
}
