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

/** Which tenants bind an entry, each with its way to another. */
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
    { id: "client", header: "Client", share: 2, cell: ({ client }) => <ClientName {...client} /> },
    { id: "status", header: "Instance", from: "sm", cell: ({ status }) => <InstanceBadge state={status} /> },
    {
      id: "actions",
      header: "Actions",
      width: 150,
      right: true,
      cell: (instance) => <Way instance={instance} job={moves.get(instance.id)} onMove={() => setMoving(instance)} />,
    },
  ];
  return (
    <Card
      flush
      title="Tenants that bind it"
      about={
        others === 0
          ? undefined
          : `${formatNumber(others)} more ${others === 1 ? "is" : "are"} of other environments than ${environment}, and listed at their dashboards.`
      }
    >
      <PagedTable
        query={bound}
        label={`Tenants that bind ${entry.gateway_id}`}
        columns={columns}
        idOf={({ id }) => id}
        linkOf={({ client }) => clientAddress(client.id)}
        empty={
          <Empty title={others === 0 ? "No tenant binds it" : `No tenant in ${environment} binds it`}>
            {entry.enabled
              ? "A new tenant binds the emptiest gateway of the pool that is open to it."
              : "It is closed, so that none will, unless one is moved here once it is open."}
          </Empty>
        }
      />
      <Suspense>
        {moving === undefined ? null : (
          <MoveInstance instance={moving} from={entry} onClose={() => setMoving(undefined)} onBegun={follow} />
        )}
      </Suspense>
    </Card>
  );
}

function ClientName({ name, slug }: BoundInstance["client"]) {
  return (
    <>
      {name} {name === slug ? null : <span className="font-normal text-quiet">{slug}</span>}
    </>
  );
}

interface WayProps {
  instance: BoundInstance;
  /** Its move that is under way. */
  job: Job | undefined;
  onMove: () => void;
}

function Way({ instance, job, onMove }: WayProps) {
  if (job !== undefined) {
    return (
      <TextLink to={jobAddress(job.id)}>
        {job.status === "queued" ? "Move is queued" : `Moving… ${job.progress} %`}
      </TextLink>
    );
  }
  if (instance.managed_by === "git") {
    const file = instance.declared_in ?? "its stack's settings file";
    return (
      <span
        className="relative z-10 truncate text-quiet"
        title={`It is declared in Git: change ${file} and deploy it.`}
      >
        {instance.declared_in ?? "declared in Git"}
      </span>
    );
  }
  return (
    <Button small className="relative z-10" onClick={onMove} aria-label={`Move ${instance.client.slug}`}>
      Move…
    </Button>
  );
}
