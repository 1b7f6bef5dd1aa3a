import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { type Client, clientRoutes } from "#workers/contracts/api/tenants/clients.ts";
import { instanceRoutes } from "#workers/contracts/api/tenants/instances.ts";
import { read } from "../../api/queries.ts";
import { clientAddress } from "../../kit/addresses.ts";
import { Card } from "../../kit/layout/card.tsx";
import { type Crumb, Page } from "../../kit/layout/page.tsx";
import { Loaded, Loading, Skeleton } from "../../kit/states.tsx";
import { ClientTabs } from "../clients/detail/client-tabs.tsx";
import { InstanceView } from "./instance-view.tsx";
import { NoInstance } from "./no-instance.tsx";

const route = getRouteApi("/shell/clients/$clientId/instance");
const TITLE = "Instance";

export function InstancePage() {
  const { clientId } = route.useParams();
  const client = useQuery(read(clientRoutes.getClient, { params: { client_id: clientId } }));
  if (client.data?.instance) return <WithInstance client={client.data} instanceId={client.data.instance.id} />;
  return (
    <Page title={TITLE} tabTitle={tabTitle(client.data)} crumbs={crumbsOf(client.data, clientId)}>
      {client.isPending ? <Skeleton className="h-9 w-full" /> : null}
      {client.data === undefined ? null : <ClientTabs client={client.data} />}
      <Loaded query={client} loading={LOADING}>
        {(found) => <NoInstance client={found} />}
      </Loaded>
    </Page>
  );
}

function WithInstance({ client, instanceId }: { client: Client; instanceId: string }) {
  const instance = useQuery(read(instanceRoutes.getInstance, { params: { instance_id: instanceId } }));
  const crumbs = crumbsOf(client, client.id);
  if (instance.data !== undefined) {
    return (
      <InstanceView
        title={TITLE}
        tabTitle={tabTitle(client)}
        crumbs={crumbs}
        client={client}
        instance={instance.data}
      />
    );
  }
  return (
    <Page title={TITLE} tabTitle={tabTitle(client)} crumbs={crumbs}>
      <ClientTabs client={client} />
      <Card>
        <Loaded query={instance} loading={<Loading lines={8} />}>
          {() => null}
        </Loaded>
      </Card>
    </Page>
  );
}

const LOADING = (
  <Card>
    <Loading lines={8} />
  </Card>
);

const tabTitle = (client: Client | undefined) => (client === undefined ? TITLE : `${client.name}: instance`);

const crumbsOf = (client: Client | undefined, id: string): readonly Crumb[] => [
  { name: "Clients", to: "/clients" },
  { name: client?.name ?? "…", to: clientAddress(id) },
];
