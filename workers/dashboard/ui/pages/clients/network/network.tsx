import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { EgressPolicy } from "#domain/egress/policy-types.ts";
import { egressRoutes } from "#workers/contracts/api/tenants/egress.ts";
import { apiQuery } from "#workers/dashboard/ui/api/queries.ts";
import { clientAddress } from "#workers/dashboard/ui/kit/addresses.ts";
import { ButtonLink } from "#workers/dashboard/ui/kit/button.tsx";
import { Card } from "#workers/dashboard/ui/kit/layout/card.tsx";
import { Empty, Loaded, Loading } from "#workers/dashboard/ui/kit/states.tsx";
import { type ClientTab, clientTab } from "../detail/client-frame.tsx";
import { HostsCard } from "./hosts-card.tsx";
import { PolicyCard } from "./policy-card.tsx";
import { SecretsCard } from "./secrets-card.tsx";

export default clientTab("network", Network);

function Network({ client: { id, instance, managed_by } }: ClientTab) {
  if (instance === null) {
    return (
      <Card>
        <Empty title="No instance yet" action={<ButtonLink to={clientAddress(id)}>Go to overview</ButtonLink>}>
          An egress policy belongs to the instance. Provision it first.
        </Empty>
      </Card>
    );
  }
  return <Policies instanceId={instance.id} declared={managed_by === "git"} />;
}

export function Policies({ instanceId, declared }: { instanceId: string; declared: boolean }) {
  const query = useQuery(apiQuery(egressRoutes.getEgress, { params: { instance_id: instanceId } }));
  const [proposed, setProposed] = useState<EgressPolicy>();
  return (
    <>
      <Loaded query={query} loading={<Loading lines={6} />}>
        {(egress) => (
          <PolicyCard
            // A proposed policy replaces what the fields have.
            key={JSON.stringify(proposed)}
            instanceId={instanceId}
            egress={egress}
            initial={proposed ?? egress.layers.tenant}
            declared={declared}
            onReload={() => query.refetch()}
          />
        )}
      </Loaded>
      <HostsCard instanceId={instanceId} onAllowlist={declared ? undefined : setProposed} />
      <SecretsCard instanceId={instanceId} />
    </>
  );
}
