import { useNavigate } from "@tanstack/react-router";
import { instanceRoutes } from "#workers/contracts/api/instances/instances.ts";
import type { Client } from "#workers/contracts/api/tenants/clients.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { instanceAddress } from "#workers/dashboard/ui/kit/addresses.ts";
import { Button } from "#workers/dashboard/ui/kit/button.tsx";
import { Card } from "#workers/dashboard/ui/kit/layout/card.tsx";
import { Fault } from "#workers/dashboard/ui/kit/states.tsx";

export function NoInstance({ client: { id, slug } }: { client: Client }) {
  const navigate = useNavigate();
  const provision = useChange(instanceRoutes.createInstance, {
    also: ["clients", "jobs", "AI gateways"],
    success: `Provisioning the instance of ${slug}`,
    onDone: () => void navigate({ to: instanceAddress(id) }),
  });
  return (
    <Card title="No instance yet" about="Users can open the gateway once the instance is provisioned.">
      <div className="flex flex-col items-start gap-3">
        <Fault error={provision.error} />
        <Button
          variant="primary"
          busy={provision.isPending}
          onClick={() => provision.mutate({ body: { client_id: id } })}
        >
          Provision instance
        </Button>
      </div>
    </Card>
  );
}
