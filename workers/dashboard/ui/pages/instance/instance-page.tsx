import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { instanceRoutes } from "#workers/contracts/api/instances/instances.ts";
import { type Client, clientRoutes } from "#workers/contracts/api/tenants/clients.ts";
import { apiQuery } from "../../api/queries.ts";
import { clientAddress } from "../../kit/addresses.ts";
import { Card } from "../../kit/layout/card.tsx";
import { Page } from "../../kit/layout/page.tsx";
import { Loaded, Loading, QueryFault, Skeleton } from "../../kit/states.tsx";
import { ClientTabs } from "../clients/detail/client-tabs.tsx";
import { type InstanceHeader, InstanceView } from "./instance-view.tsx";
import { NoInstance } from "./no-instance.tsx";

const route = getRouteApi("/shell/clients/$clientId/instance");

export default function InstancePage() {
  const { clientId } = route.useParams();
  const client = useQuery(apiQuery(clientRoutes.getClient, { params: { client_id: clientId } }));
  if (client.data?.instance) return <WithInstance client={client.data} instanceId={client.data.instance.id} />;
  return (
    <Page {...headerOf(client.data, clientId)}>
      {client.isPending ? <Skeleton className="h-9 w-full" /> : null}
      {client.data === undefined ? null : <ClientTabs client={client.data} />}
      <Loaded query={client} loading={LOADING}>
        {(found) => <NoInstance client={found} />}
      </Loaded>
    </Page>
  );
}

function WithInstance({ client, instanceId }: { client: Client; instanceId: string }) {
  const instance = useQuery(apiQuery(instanceRoutes.getInstance, { params: { instance_id: instanceId } }));
  const header = headerOf(client, client.id);
  if (instance.data !== undefined) return <InstanceView header={header} client={client} instance={instance.data} />;
  return (
    <Page {...header}>
      <ClientTabs client={client} />
      {instance.error === null ? (
        LOADING
      ) : (
        <Card>
          <QueryFault query={instance} />
        </Card>
      )}
    </Page>
  );
}

const LOADING = (
  <Card>
    <Loading lines={8} />
  </Card>
);

const headerOf = (client: Client | undefined, id: string): InstanceHeader => ({
  title: "Instance",
  tabTitle: client === undefined ? "Instance" : `${client.name}: instance`,
  crumbs: [
    { name: "Clients", to: "/clients" },
    { name: client?.name ?? "…", to: clientAddress(id) },
  ],
});
