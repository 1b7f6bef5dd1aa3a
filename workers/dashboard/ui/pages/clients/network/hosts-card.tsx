import { useQuery } from "@tanstack/react-query";
import type { EgressPolicy } from "#domain/egress/policy-types.ts";
import { type EgressTraffic, egressRoutes } from "#workers/contracts/api/tenants/egress.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { apiQuery } from "#workers/dashboard/ui/api/queries.ts";
import { Badge } from "#workers/dashboard/ui/kit/badge.tsx";
import { Button } from "#workers/dashboard/ui/kit/button.tsx";
import { formatBytes } from "#workers/dashboard/ui/kit/format.ts";
import { Card } from "#workers/dashboard/ui/kit/layout/card.tsx";
import { type Column, DataTable } from "#workers/dashboard/ui/kit/list/table.tsx";
import { Notice } from "#workers/dashboard/ui/kit/notice.tsx";
import { Empty, Fault, Loaded, Loading } from "#workers/dashboard/ui/kit/states.tsx";
import { Ago } from "#workers/dashboard/ui/kit/time.tsx";

interface HostsCardProps {
  instanceId: string;
  /** Undefined if the policy cannot be changed here. */
  onAllowlist: ((policy: EgressPolicy) => void) | undefined;
}

export function HostsCard({ instanceId, onAllowlist }: HostsCardProps) {
  const params = { instance_id: instanceId };
  const query = useQuery(apiQuery(egressRoutes.listEgressHosts, { params }));
  const create = useChange(egressRoutes.createEgressAllowlist, { onDone: ({ policy }) => onAllowlist?.(policy) });
  const isEmpty = (query.data?.data.length ?? 0) === 0;
  return (
    <Card
      title="Reached hosts"
      about="What the agent reached while its mode was audit or allowlist. Programs state their own names."
      actions={
        onAllowlist === undefined || isEmpty ? undefined : (
          <Button busy={create.isPending} onClick={() => create.mutate({ params, body: { store: false } })}>
            Create allowlist from these hosts
          </Button>
        )
      }
      flush
    >
      <Fault error={create.error} />
      <Loaded query={query} loading={<Loading padded />}>
        {({ data, restart_required, gaps }) => (
          <>
            {restart_required ? (
              <Notice tone="busy" title="Restart required">
                The agent was started before the policy closed other ports, and still reaches them. Restart it to close
                them.
              </Notice>
            ) : null}
            {gaps.length === 0 ? null : (
              <Notice tone="bad" title="Policy not fully enforced">
                {gaps.join(", ")}
              </Notice>
            )}
            <DataTable
              label="Reached hosts"
              columns={COLUMNS}
              rows={data}
              idOf={({ host, port, program }) => JSON.stringify([host, port, program])}
              empty={
                <Empty title="No hosts recorded">
                  To record what the agent reaches, set the mode to audit and let the agent work.
                </Empty>
              }
            />
          </>
        )}
      </Loaded>
    </Card>
  );
}

const COLUMNS: readonly Column<EgressTraffic>[] = [
  {
    header: "Host",
    share: 2,
    cell: ({ host, port, program }) => (
      <>
        <code className="break-all">{port === 443 ? host : `${host}:${port}`}</code>
        {program === null ? null : <span className="block text-xs text-quiet">{program}</span>}
      </>
    ),
  },
  {
    header: "Requests",
    right: true,
    cell: ({ requests, refused, reason }) => (
      <>
        {requests}
        {refused === 0 ? null : <Badge tone="bad" title={reason ?? ""}>{`${refused} refused`}</Badge>}
      </>
    ),
  },
  {
    header: "Sent / received",
    from: "md",
    right: true,
    cell: ({ sent_bytes, received_bytes }) => `${formatBytes(sent_bytes)} / ${formatBytes(received_bytes)}`,
  },
  { header: "First", from: "lg", cell: ({ first_at }) => <Ago at={first_at} /> },
  { header: "Last", from: "sm", cell: ({ last_at }) => <Ago at={last_at} /> },
];
