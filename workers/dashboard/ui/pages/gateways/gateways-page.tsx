import { useInfiniteQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import type { Environment } from "#domain/environment.ts";
import { MAX_LIMIT } from "#workers/contracts/api/paging.ts";
import { type AiGateway, aiGatewayRoutes } from "#workers/contracts/api/tenants/ai-gateways.ts";
import { readPages } from "../../api/queries.ts";
import { useViewer } from "../../api/session.ts";
import { Badge } from "../../kit/badge.tsx";
import { Button } from "../../kit/button.tsx";
import { Meter } from "../../kit/chart/meter.tsx";
import { formatNumber } from "../../kit/format.ts";
import { Card } from "../../kit/layout/card.tsx";
import { Page } from "../../kit/layout/page.tsx";
import { PagedTable } from "../../kit/list/paged-table.tsx";
import type { Column } from "../../kit/list/table.tsx";
import { RootsOnly } from "../../kit/roots-only.tsx";
import { Empty } from "../../kit/states.tsx";
import { EntryMenu } from "./entry-menu.tsx";
import { foreignOwnerHint, ownerName } from "./entry-owner.ts";
import { EntrySwitch } from "./entry-switch.tsx";

const NewEntry = lazy(() => import("./new-entry.tsx"));

const columnsFor = (here: Environment): readonly Column<AiGateway>[] => [
  { header: "AI gateway", share: 1.6, cell: ({ gateway_id }) => gateway_id },
  {
    header: "Instances",
    share: 2,
    cell: ({ gateway_id, bound, max_instances }) => (
      <Meter inline label={`Instances of ${gateway_id}`} value={bound} max={max_instances} />
    ),
  },
  { header: "Environment", from: "md", cell: ({ environment }) => environment ?? "Any" },
  {
    header: "Managed by",
    from: "lg",
    share: 1.2,
    cell: (entry) => <span title={foreignOwnerHint(entry, here)}>{ownerName(entry, here)}</span>,
  },
  {
    header: "New tenants",
    from: "sm",
    share: 0.8,
    cell: (entry) => (
      <div className="p-1">
        {foreignOwnerHint(entry, here) === undefined ? (
          <EntrySwitch entry={entry} />
        ) : (
          <Badge tone={entry.enabled ? "good" : "quiet"}>{entry.enabled ? "Open" : "Closed"}</Badge>
        )}
      </div>
    ),
  },
  {
    header: "Actions",
    width: 68,
    right: true,
    cell: (entry) =>
      foreignOwnerHint(entry, here) === undefined ? (
        <div className="relative z-10">
          <EntryMenu entry={entry} />
        </div>
      ) : null,
  },
];

const GatewaysPage = () => <RootsOnly title="AI gateways">{() => <Pool />}</RootsOnly>;

function Pool() {
  const { environment } = useViewer();
  const [adding, setAdding] = useState(false);
  const pool = useInfiniteQuery(readPages(aiGatewayRoutes.listAiGateways, { query: { limit: MAX_LIMIT } }));
  const entries = pool.hasNextPage ? undefined : pool.data?.pages.flatMap(({ data }) => data);
  const add = (
    <Button variant="primary" onClick={() => setAdding(true)}>
      <Plus aria-hidden="true" /> Add gateway
    </Button>
  );
  return (
    <Page
      title="AI gateways"
      about={
        entries === undefined || entries.length === 0
          ? "Shared by tenants without a dedicated AI gateway."
          : `Shared by tenants without a dedicated AI gateway. ${capacityText(entries, environment)}`
      }
      actions={add}
    >
      <Card flush>
        <PagedTable
          query={pool}
          label="AI gateways"
          columns={columnsFor(environment)}
          idOf={({ id }) => id}
          linkOf={({ id }) => `/gateways/${id}`}
          empty={
            <Empty title="The pool is empty" action={add}>
              Each new tenant gets a dedicated gateway, of which an account has few. Add a gateway for tenants to share,
              or declare one in the platform's settings.
            </Empty>
          }
        />
      </Card>
      <Suspense>{adding ? <NewEntry onClose={() => setAdding(false)} /> : null}</Suspense>
    </Page>
  );
}

function capacityText(entries: readonly AiGateway[], here: Environment): string {
  const free = entries
    .filter(({ enabled, environment }) => enabled && (environment === null || environment === here))
    .reduce((sum, { bound, max_instances }) => sum + Math.max(0, max_instances - bound), 0);
  return free === 0
    ? `No free slots for tenants in ${here}.`
    : `${formatNumber(free)} free ${free === 1 ? "slot" : "slots"} for tenants in ${here}.`;
}

export default GatewaysPage;
