import { useQuery, useQueryClient } from "@tanstack/react-query";
import { RotateCw } from "lucide-react";
import { lazy, Suspense, useEffect, useState } from "react";
import type { Instance } from "#workers/contracts/api/instances/instances.ts";
import { onLiveEvent } from "#workers/dashboard/ui/api/live.ts";
import { Button } from "#workers/dashboard/ui/kit/button.tsx";
import { formatBytes } from "#workers/dashboard/ui/kit/format.ts";
import { Card } from "#workers/dashboard/ui/kit/layout/card.tsx";
import { Notice } from "#workers/dashboard/ui/kit/notice.tsx";
import { Empty, Loaded, Loading } from "#workers/dashboard/ui/kit/states.tsx";
import { Ago } from "#workers/dashboard/ui/kit/time.tsx";
import { useMustWait } from "../open-job.ts";
import { BackupTable } from "./backup-table.tsx";
import { BACKUPS_TAG, type Backup, backupsOf } from "./backups.ts";
import { LastRestore } from "./last-restore.tsx";
import { retentionInWords } from "./reasons.ts";
import { UploadButton } from "./upload-button.tsx";

/** Such as `Europe/Berlin`. */
const ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone.replaceAll("_", " ");

const RestoreDialog = lazy(() => import("./restore-dialog.tsx"));

export function BackupsCard({ instance }: { instance: Instance }) {
  const { id, status, client } = instance;
  const queries = useQueryClient();
  const backups = useQuery(backupsOf(id));
  const mustWait = useMustWait(instance);
  const [restored, setRestored] = useState<Backup>();
  useEffect(
    () =>
      onLiveEvent(({ kind, client_id }) => {
        if (kind === "job.succeeded" && client_id === client.id) {
          void queries.invalidateQueries({ queryKey: [BACKUPS_TAG] });
        }
      }),
    [client.id, queries],
  );
  return (
    <Card
      flush
      title="Backups"
      about={`Times are in your time zone, ${ZONE}.`}
      actions={
        <>
          <UploadButton instance={instance} />
          <Button
            variant="ghost"
            small
            icon
            aria-label="Refresh backups"
            busy={backups.isFetching}
            onClick={() => void backups.refetch()}
          >
            {backups.isFetching ? null : <RotateCw aria-hidden="true" />}
          </Button>
        </>
      }
    >
      <Loaded query={backups} loading={<Loading padded />}>
        {({ data, trouble, retention }) => (
          <>
            {trouble === null ? null : (
              <div className="px-4 pb-3">
                <Notice tone="bad" title="Backups fail or cannot be restored">
                  <p>
                    {trouble.reason} (since <Ago at={trouble.since} />)
                  </p>
                  {trouble.remedy === null ? null : <p>{trouble.remedy}</p>}
                </Notice>
              </div>
            )}
            <div className="px-4 pb-3 empty:hidden">
              <LastRestore instance={instance} backups={data} />
            </div>
            {data.length === 0 ? (
              <Empty title="No backups yet">
                One is created every 15 minutes while the agent runs, before it sleeps and before risky changes.
              </Empty>
            ) : (
              <BackupTable
                instanceId={id}
                backups={data}
                onRestore={status === "running" ? setRestored : undefined}
                mustWait={mustWait}
              />
            )}
            {retention === null ? null : (
              <p className="border-t border-line px-4 py-2.5 text-xs text-quiet">
                {retentionInWords(retention, formatBytes)}
              </p>
            )}
          </>
        )}
      </Loaded>
      {restored === undefined ? null : (
        <Suspense>
          <RestoreDialog instance={instance} backup={restored} onClose={() => setRestored(undefined)} />
        </Suspense>
      )}
    </Card>
  );
}
