import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { type Instance, instanceRoutes } from "#workers/contracts/api/instances/instances.ts";
import { type Client, clientRoutes } from "#workers/contracts/api/tenants/clients.ts";
import { apiQuery } from "../api/queries.ts";
import { useIsReadOnly, useTenant, useViewer } from "../api/session.ts";
import { ButtonLink } from "../kit/button.tsx";
import { Card } from "../kit/layout/card.tsx";
import { Page, type PageProps } from "../kit/layout/page.tsx";
import { Empty, Loading, QueryFault } from "../kit/states.tsx";
import { isPlanned } from "../pages/instance/open-job.ts";
import { DeletionNotice } from "./deletion-notice.tsx";
import { JobNotice, useJobEnd } from "./job-notice.tsx";

const POLL_MS = 15_000;
/** While a job changes the instance. */
const BUSY_POLL_MS = 3_000;

/** The viewer's instance. */
export const useInstance = () =>
  useQuery({
    ...apiQuery(instanceRoutes.getInstance, { params: { instance_id: useTenant().instance_id } }),
    refetchInterval: ({ state: { data } }) => (data?.job && !isPlanned(data.job) ? BUSY_POLL_MS : POLL_MS),
  });

export interface TenantProps {
  client: Client;
  instance: Instance;
}

interface TenantPageProps extends Pick<PageProps, "title" | "about"> {
  actions?: (tenant: TenantProps) => ReactNode;
  children: (tenant: TenantProps) => ReactNode;
}

/** A page of the console for administrators. */
export function TenantPage(props: TenantPageProps) {
  const { user } = useViewer();
  const { client } = useTenant();
  if (user.role === "ADMIN") return <LoadedTenant {...props} />;
  return (
    <Page title={props.title}>
      <Empty title="For administrators only" action={<ButtonLink to="/">Go to home</ButtonLink>}>
        Ask an administrator of {client.name} for help.
      </Empty>
    </Page>
  );
}

function LoadedTenant({ title, about, actions, children }: TenantPageProps) {
  const isReadOnly = useIsReadOnly();
  const params = { client_id: useTenant().client.id };
  const client = useQuery(apiQuery(clientRoutes.getClient, { params }));
  const instance = useInstance();
  useJobEnd(instance.data);
  const found =
    client.data === undefined || instance.data === undefined
      ? undefined
      : { client: client.data, instance: instance.data };
  return (
    <Page title={title} about={about} actions={found === undefined || isReadOnly ? undefined : actions?.(found)}>
      {found === undefined ? (
        <Card>
          {client.error === null && instance.error === null ? (
            <Loading lines={6} />
          ) : (
            <QueryFault query={client.error === null ? instance : client} />
          )}
        </Card>
      ) : (
        <>
          <DeletionNotice client={found.client} />
          <JobNotice job={found.instance.job} />
          {children(found)}
        </>
      )}
    </Page>
  );
}
