import { useInfiniteQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import type { Job } from "#workers/contracts/api/jobs.ts";
import { MAX_LIMIT } from "#workers/contracts/api/paging.ts";
import { type AiGateway, aiGatewayRoutes, type BoundInstance } from "#workers/contracts/api/tenants/ai-gateways.ts";
import { readPages } from "../../api/queries.ts";
import { useViewer } from "../../api/session.ts";
import { clientAddress, jobAddress } from "../../kit/addresses.ts";
import { Button } from "../../kit/button.tsx";
import { formatNumber } from "../../kit/format.ts";
import { Card } from "../../kit/layout/card.tsx";
import { PagedTable } from "../../kit/list/paged-table.tsx";
import type { Column } from "../../kit/list/table.tsx";
import { InstanceBadge } from "../../kit/state-badge.tsx";
import { Empty } from "../../kit/states.tsx";
import { TextLink } from "../../kit/text-link.tsx";
import { useOpenMoves } from "./open-moves.ts";

const MoveInstance = lazy(() => import("./move-instance.tsx"));

export function BoundInstances({ entry }: { entry: AiGateway }) {
  const { environment } = useViewer();
  const [moving, setMoving] = useState<BoundInstance>();
  const [moves, follow] = useOpenMoves();
  const bound = useInfiniteQuery(
    readPages(aiGatewayRoutes.listBoundInstances, { params: { id: entry.id }, query: { limit: MAX_LIMIT } }),
  );
  const listed = bound.data?.pages.reduce((sum, { data }) => sum + data.length, 0) ?? 0;
  const others = bound.data === undefined || bound.hasNextPage ? 0 : Math.max(0, entry.bound - listed);
  const columns: readonly Column<BoundInstance>[] = [
    { header: "Client", share: 2, cell: ({ client }) => <ClientName {...client} /> },
    { header: "Instance", from: "sm", cell: ({ status }) => <InstanceBadge state={status} /> },
    {
      header: "Actions",
      width: 150,
      right: true,
      cell: (instance) => (
        <MoveAction instance={instance} job={moves.get(instance.id)} onMove={() => setMoving(instance)} />
      ),
    },
  ];
  return (
    <Card
      flush
      title="Tenants"
      about={
        others === 0
          ? undefined
          : `${formatNumber(others)} more in other environments than ${environment}. Their dashboards list them.`
      }
    >
      <PagedTable
        query={bound}
        label={`Tenants of ${entry.gateway_id}`}
        columns={columns}
        idOf={({ id }) => id}
        linkOf={({ client }) => clientAddress(client.id)}
        empty={
          <Empty title={others === 0 ? "No tenants" : `No tenants in ${environment}`}>
            {entry.enabled
              ? "A new tenant uses the pool gateway with the most free slots."
              : "The gateway is closed to new tenants."}
          </Empty>
        }
      />
      <Suspense>
        {moving === undefined ? null : (
          <MoveInstance instance={moving} from={entry} onClose={() => setMoving(undefined)} onStarted={follow} />
        )}
      </Suspense>
    </Card>
  );
}

const ClientName = ({ name, slug }: BoundInstance["client"]) => (
  <>
    {name} {name === slug ? null : <span className="font-normal text-quiet">{slug}</span>}
  </>
);

function MoveAction({ instance, job, onMove }: { instance: BoundInstance; job: Job | undefined; onMove: () => void }) {
  if (job !== undefined) {
    return (
      <TextLink to={jobAddress(job.id)}>
        {job.status === "queued" ? "Move queued" : `Moving… ${job.progress} %`}
      </TextLink>
    );
  }
  if (instance.managed_by === "git") {
    const file = instance.declared_in ?? "the stack's settings file";
    return (
      <span
        className="relative z-10 truncate text-quiet"
        title={`Managed in Git: change ${file} and deploy the stack.`}
      >
        {instance.declared_in ?? "Managed in Git"}
      </span>
    );
  }
  return (
    <Button small className="relative z-10" onClick={onMove} aria-label={`Move ${instance.client.slug}`}>
      Move…
    </Button>
  );
}
