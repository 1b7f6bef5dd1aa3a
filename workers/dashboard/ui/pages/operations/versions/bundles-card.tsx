import type { UseQueryResult } from "@tanstack/react-query";
import { useRef } from "react";
import { imageRoutes, type WorkerBundle } from "#workers/contracts/api/tenants/images.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { formatNumber } from "#workers/dashboard/ui/kit/format.ts";
import { Card } from "#workers/dashboard/ui/kit/layout/card.tsx";
import { type Column, DataTable } from "#workers/dashboard/ui/kit/list/table.tsx";
import { Empty, Loaded } from "#workers/dashboard/ui/kit/states.tsx";
import { Ago } from "#workers/dashboard/ui/kit/time.tsx";
import { toast } from "#workers/dashboard/ui/kit/toast/toast.ts";
import { type EntryChange, EntryMenu } from "./entry-menu.tsx";
import { EntryState } from "./entry-state.tsx";
import { tellChange } from "./told-change.ts";
import { bundleName, shortHash } from "./version-names.ts";

const columns: readonly Column<WorkerBundle>[] = [
  { id: "release", header: "Release", share: 1.4, cell: ({ release }) => release },
  { id: "state", header: "State", share: 1.1, cell: (bundle) => <EntryState {...bundle} /> },
  {
    id: "tenants",
    header: "Tenants",
    right: true,
    share: 0.6,
    from: "sm",
    cell: ({ tenants }) => formatNumber(tenants),
  },
  {
    id: "hash",
    header: "Content",
    share: 2,
    from: "md",
    cell: ({ content_hash }) => (
      <span className="font-mono text-xs" title={content_hash}>
        {shortHash(content_hash)}
      </span>
    ),
  },
  { id: "added", header: "Brought", from: "lg", cell: ({ created_at }) => <Ago at={created_at} /> },
  { id: "menu", header: "Actions", width: 60, right: true, cell: (bundle) => <BundleMenu bundle={bundle} /> },
];

/** The tenants' Workers that releases of the automation service brought. */
export function BundlesCard({ bundles }: { bundles: UseQueryResult<{ data: WorkerBundle[] }, Error> }) {
  return (
    <Card title="Workers" about="Each release of the automation service brings the tenants' Worker of its own." flush>
      <Loaded query={bundles}>
        {({ data }) => (
          <DataTable
            label="Workers"
            columns={columns}
            rows={data}
            idOf={({ id }) => id}
            empty={
              <Empty title="No Workers yet">
                The automation service brings its own when it starts; until then tenants run that of whoever deploys
                them.
              </Empty>
            }
          />
        )}
      </Loaded>
    </Card>
  );
}

function BundleMenu({ bundle }: { bundle: WorkerBundle }) {
  const name = `Worker ${bundleName(bundle)}`;
  // When it was asked: news of the change may come before its answer.
  const wasDefault = useRef(false);
  const update = useChange(imageRoutes.updateWorkerBundle, {
    onDone: ({ version }, { body }) =>
      tellChange({ name, change: body, wasDefault: wasDefault.current, undo: (back) => change(back, version) }),
    onFailed: ({ message }) => toast({ kind: "failed", title: `${name} was not changed`, about: message }),
  });
  const change = (body: EntryChange, version: number) => {
    wasDefault.current = bundle.default;
    update.mutate({ params: { id: bundle.id }, body, version });
  };
  return (
    <EntryMenu name={name} entry={bundle} busy={update.isPending} onChange={(body) => change(body, bundle.version)} />
  );
}
