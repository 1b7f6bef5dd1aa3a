import { Download, Pin, PinOff, Trash2 } from "lucide-react";
import { useState } from "react";
import { instanceDataRoutes } from "#workers/contracts/api/instances/instance-data.ts";
import { instanceRoutes } from "#workers/contracts/api/instances/instances.ts";
import { addressOf } from "#workers/dashboard/ui/api/ask.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { Button, ButtonAnchor } from "#workers/dashboard/ui/kit/button.tsx";
import { formatBytes, formatInstant, formatNumber } from "#workers/dashboard/ui/kit/format.ts";
import { type Column, DataTable } from "#workers/dashboard/ui/kit/list/table.tsx";
import { Ago } from "#workers/dashboard/ui/kit/time.tsx";
import { BACKUPS_TAG, type Backup } from "./backups.ts";
import { reasonInWords } from "./reasons.ts";

/** Rows shown at first; there may be thousands. */
const PAGE = 10;

const times = new Intl.DateTimeFormat(undefined, {
  day: "numeric",
  month: "short",
  hour: "numeric",
  minute: "2-digit",
});
const timeOf = ({ created_at }: Backup) => times.format(new Date(created_at));

const columns: readonly Column<Backup>[] = [
  {
    header: "Created",
    cell: (backup) => (
      <>
        <time dateTime={backup.created_at} title={formatInstant(backup.created_at)} className="tabular-nums">
          {timeOf(backup)}
        </time>
        <span className="block text-xs text-quiet">
          <Ago at={backup.created_at} long />
          {backup.kept ? " · kept" : null}
        </span>
      </>
    ),
  },
  { header: "Reason", from: "sm", cell: reasonInWords },
  { header: "Size", right: true, from: "sm", cell: ({ bytes }) => formatBytes(bytes) },
  {
    header: "Gateway",
    from: "md",
    cell: ({ gateway }) => (gateway === null ? <Unknown /> : `${gateway.name} ${gateway.version}`),
  },
];
const Unknown = () => <span className="text-quiet">Unknown</span>;

interface BackupTableProps {
  instanceId: string;
  backups: readonly Backup[];
  onRestore: ((backup: Backup) => void) | undefined;
}

export function BackupTable({ instanceId, backups, onRestore }: BackupTableProps) {
  const [shown, setShown] = useState(PAGE);
  const more = backups.length - shown;
  const keep = useChange(instanceDataRoutes.keepBackup, {
    also: [BACKUPS_TAG],
    success: ({ kept }) => (kept ? "The backup is kept" : "The backup is no longer kept"),
    failure: "The backup was not changed",
  });
  const remove = useChange(instanceDataRoutes.deleteBackup, {
    also: [BACKUPS_TAG],
    success: "Uploaded backup deleted",
    failure: "The backup was not deleted",
  });
  const actions: Column<Backup> = {
    header: "Actions",
    width: 210,
    right: true,
    cell: (backup) => (
      <span className="flex gap-1.5">
        {onRestore === undefined ? null : (
          <Button small aria-label={`Restore backup of ${timeOf(backup)}`} onClick={() => onRestore(backup)}>
            Restore…
          </Button>
        )}
        <Button
          small
          icon
          variant="ghost"
          aria-pressed={backup.kept}
          aria-label={`Keep backup of ${timeOf(backup)}`}
          title={backup.kept ? "Stop keeping this backup" : "Keep this backup"}
          onClick={() =>
            keep.mutate({ params: { instance_id: instanceId, backup_id: backup.id }, body: { kept: !backup.kept } })
          }
        >
          {backup.kept ? <PinOff aria-hidden="true" /> : <Pin aria-hidden="true" />}
        </Button>
        {backup.reason === "uploaded" ? (
          <Button
            small
            icon
            variant="ghost"
            aria-label={`Delete backup of ${timeOf(backup)}`}
            onClick={() => remove.mutate({ params: { instance_id: instanceId, backup_id: backup.id } })}
          >
            <Trash2 aria-hidden="true" />
          </Button>
        ) : null}
        <ButtonAnchor
          small
          icon
          variant="ghost"
          download
          href={addressOf(instanceRoutes.downloadBackup, {
            params: { instance_id: instanceId, backup_id: backup.id },
          })}
          aria-label={`Download backup of ${timeOf(backup)}`}
        >
          <Download aria-hidden="true" />
        </ButtonAnchor>
      </span>
    ),
  };
  return (
    <>
      <DataTable label="Backups" columns={[...columns, actions]} rows={backups.slice(0, shown)} idOf={({ id }) => id} />
      {more <= 0 ? null : (
        <div className="border-t border-line px-4 py-2.5">
          <Button small variant="ghost" onClick={() => setShown(backups.length)}>
            Show older backups ({formatNumber(more)})
          </Button>
        </div>
      )}
    </>
  );
}
