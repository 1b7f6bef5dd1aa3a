import type { UseQueryResult } from "@tanstack/react-query";
import type { WorkerBundle } from "#workers/contracts/api/tenants/images.ts";
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

export const BundlesCard = ({ bundles }: { bundles: UseQueryResult<{ data: WorkerBundle[] }, Error> }) => (
  <Card title="Workers" about="Each release of the automation service adds its tenant Worker." flush>
    <Loaded query={bundles}>
      {({ data }) => (
        <DataTable
          label="Workers"
          columns={columns}
          rows={data}
          idOf={({ id }) => id}
          empty={
            <Empty title="No Workers yet">
              The automation service adds its Worker when it starts. Until then, tenants run the Worker that they were
              deployed with.
            </Empty>
          }
        />
      )}
    </Loaded>
  </Card>
);

function BundleMenu({ bundle }: { bundle: WorkerBundle }) {
  const name = `Worker ${bundleName(bundle)}`;
  const { change, isPending } = useEntryChange("bundle", name, bundle);
  return <EntryMenu name={name} entry={bundle} busy={isPending} onChange={change} />;
}
