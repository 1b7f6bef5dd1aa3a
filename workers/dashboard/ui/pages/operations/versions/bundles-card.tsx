import type { UseQueryResult } from "@tanstack/react-query";
import type { OtherWorkers, WorkerBundle } from "#workers/contracts/api/tenants/images.ts";
import { formatNumber } from "#workers/dashboard/ui/kit/format.ts";
import { Card } from "#workers/dashboard/ui/kit/layout/card.tsx";
import { type Column, DataTable } from "#workers/dashboard/ui/kit/list/table.tsx";
import { Empty, Loaded } from "#workers/dashboard/ui/kit/states.tsx";
import { Ago } from "#workers/dashboard/ui/kit/time.tsx";
import { EntryMenu, EntryState } from "./entry-menu.tsx";
import { useEntryChange } from "./use-entry-change.ts";
import { bundleName, shortHash } from "./version-names.ts";

const columns: readonly Column<WorkerBundle>[] = [
  { header: "Release", share: 1.4, cell: ({ release }) => release },
  { header: "State", share: 1.1, cell: (bundle) => <EntryState {...bundle} /> },
  {
    header: "Tenants",
    right: true,
    share: 0.6,
    from: "sm",
    cell: ({ tenants }) => formatNumber(tenants),
  },
  {
    header: "Content",
    share: 2,
    from: "md",
    cell: ({ content_hash }) => (
      <span className="font-mono text-xs" title={content_hash}>
        {shortHash(content_hash)}
      </span>
    ),
  },
  { header: "Added", from: "lg", cell: ({ created_at }) => <Ago at={created_at} /> },
  { header: "Actions", width: 60, right: true, cell: (bundle) => <BundleMenu bundle={bundle} /> },
];

interface Bundles {
  data: WorkerBundle[];
  others: OtherWorkers[];
}

export const BundlesCard = ({ bundles }: { bundles: UseQueryResult<Bundles, Error> }) => (
  <Card
    title="Workers"
    about="Each release of the automation service adds its tenant Worker. A stack in Git builds the Worker of its tenants."
    flush
  >
    <Loaded query={bundles}>
      {({ data, others }) => (
        <>
          <DataTable
            label="Workers"
            columns={columns}
            rows={data}
            idOf={({ id }) => id}
            empty={
              <Empty title="No Workers yet">
                Start the automation service: it adds its Worker. Until then, tenants keep the Worker that they were
                deployed with.
              </Empty>
            }
          />
          {others.length === 0 ? null : (
            <ul aria-label="Other Workers" className="border-t border-line px-4 py-3 text-[0.8125rem] text-quiet">
              {others.map((other) => (
                <li key={`${other.declared_in} ${other.content_hash}`}>{textOf(other)}</li>
              ))}
            </ul>
          )}
        </>
      )}
    </Loaded>
  </Card>
);

function textOf({ declared_in, content_hash, tenants }: OtherWorkers): string {
  const which = `${formatNumber(tenants)} ${tenants === 1 ? "tenant" : "tenants"} of ${declared_in ?? "the dashboard"}`;
  if (content_hash === null)
    return `${which}: Worker not reported yet. Tenants report it within an hour after their start.`;
  const builder = declared_in === null ? "a Worker" : "the Worker that its stack built";
  return `${which}: ${builder}, ${shortHash(content_hash)}, which is not in this list.`;
}

function BundleMenu({ bundle }: { bundle: WorkerBundle }) {
  const name = `Worker ${bundleName(bundle)}`;
  const { change, isPending } = useEntryChange("bundle", name, bundle);
  return <EntryMenu name={name} entry={bundle} busy={isPending} onChange={change} />;
}
