import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { Eye } from "lucide-react";
import type { ReactNode } from "react";
import { tenantHostname } from "#domain/names/hostnames.ts";
import { type Client, clientRoutes } from "#workers/contracts/api/tenants/clients.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { apiQuery } from "#workers/dashboard/ui/api/queries.ts";
import { useViewer } from "#workers/dashboard/ui/api/session.ts";
import { Button } from "#workers/dashboard/ui/kit/button.tsx";
import { CopyButton } from "#workers/dashboard/ui/kit/copy.tsx";
import { Page } from "#workers/dashboard/ui/kit/layout/page.tsx";
import { Notice } from "#workers/dashboard/ui/kit/notice.tsx";
import { ClientBadge, InstanceBadge } from "#workers/dashboard/ui/kit/state-badge.tsx";
import { Fault, Loading, QueryFault, Skeleton } from "#workers/dashboard/ui/kit/states.tsx";
import { Ago, Moment } from "#workers/dashboard/ui/kit/time.tsx";
import { ClientTabs } from "./client-tabs.tsx";
import { useRestore } from "./use-restore.ts";

const CRUMBS = [{ name: "Clients", to: "/clients" }];

/** Props of a tab's content. */
export interface ClientTab {
  client: Client;
  /** Refetches the client. Returns undefined on failure. */
  reload: () => Promise<Client | undefined>;
}

/** Returns the page of a client's tab: the client's header and tabs around the content. */
export const clientTab = (name: string, Content: (tab: ClientTab) => ReactNode) =>
  function ClientTabPage() {
    return <ClientFrame name={name}>{(tab) => <Content {...tab} />}</ClientFrame>;
  };

function ClientFrame({ name, children }: { name: string; children: (tab: ClientTab) => ReactNode }) {
  const { clientId = "" } = useParams({ strict: false });
  const query = useQuery(apiQuery(clientRoutes.getClient, { params: { client_id: clientId } }));
  const { data: client, error } = query;
  if (client === undefined) {
    return (
      <Page title="Client" crumbs={CRUMBS}>
        {error === null ? (
          <>
            <Skeleton className="h-9 w-full" />
            <Loading lines={8} />
          </>
        ) : (
          <QueryFault query={query} />
        )}
      </Page>
    );
  }
  return (
    <Page
      title={client.name}
      tabTitle={`${client.name}: ${name}`}
      crumbs={CRUMBS}
      beside={
        <>
          <ClientBadge state={client.status} />
          {client.instance === null ? null : <InstanceBadge state={client.instance.status} />}
        </>
      }
      about={<Host client={client} />}
      actions={<ViewConsole client={client} />}
    >
      <ClientTabs client={client} />
      <DeletionBanner client={client} />
      <GitBanner client={client} />
      {children({ client, reload: async () => (await query.refetch()).data })}
    </Page>
  );
}

function ViewConsole({ client: { id, instance } }: { client: Client }) {
  const { user } = useViewer();
  const view = useChange(clientRoutes.viewClient, {
    failure: "Failed to open the console",
    onDone: ({ url }) => location.assign(url),
  });
  if (user.role !== "ROOT" || instance === null) return null;
  return (
    <Button busy={view.isPending} onClick={() => view.mutate({ params: { client_id: id } })}>
      <Eye aria-hidden="true" /> View console
    </Button>
  );
}

function Host({ client: { slug, instance } }: { client: Client }) {
  const { environment, platform_domain } = useViewer();
  const host = tenantHostname(slug, environment, platform_domain);
  const port = location.port === "" ? "" : `:${location.port}`;
  return (
    <span className="flex min-w-0 items-center gap-1">
      {instance === null ? (
        <span className="truncate">{host}</span>
      ) : (
        <a
          href={`${location.protocol}//${host}${port}/`}
          target="_blank"
          rel="noreferrer"
          className="truncate text-quiet hover:text-text"
        >
          {host}
        </a>
      )}
      <CopyButton text={host} what="host" />
    </span>
  );
}

function DeletionBanner({ client }: { client: Client }) {
  const { canRestore, restore, busy, error } = useRestore(client);
  const { delete_after } = client;
  if (delete_after === null) return null;
  return (
    <Notice
      tone="bad"
      title="Deletion scheduled"
      actions={
        canRestore ? (
          <Button busy={busy} onClick={restore}>
            Restore client
          </Button>
        ) : undefined
      }
    >
      <p>
        The client will be deleted <Ago at={delete_after} long />, on <Moment at={delete_after} />, with its instance
        and users. Until then the instance is frozen, and {canRestore ? "you" : "a platform root"} can restore the
        client.
      </p>
      <Fault error={error} />
    </Notice>
  );
}

function GitBanner({ client: { managed_by, declared_in, slug } }: { client: Client }) {
  if (managed_by !== "git") return null;
  const release = `npm run fleet -- release ${slug}`;
  return (
    <Notice tone="info" title="Managed in Git">
      <p>
        Change name, plan, partner, state, canary and maintenance window in{" "}
        {declared_in === null ? "the stack's settings file" : <code className="break-all">{declared_in}</code>} and
        deploy the stack. Manage users, billing and freezes here.
      </p>
      <p className="flex flex-wrap items-center gap-1 text-[0.8125rem]">
        To manage the client here, run <code className="break-all">{release}</code>
        <CopyButton text={release} what="command" />
      </p>
    </Notice>
  );
}
