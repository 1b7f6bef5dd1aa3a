import { Download } from "lucide-react";
import { useState } from "react";
import { instanceRoutes } from "#workers/contracts/api/tenants/instances.ts";
import { addressOf } from "#workers/dashboard/ui/api/ask.ts";
import { Button, ButtonAnchor } from "#workers/dashboard/ui/kit/button.tsx";
import { formatBytes, formatInstant, formatNumber } from "#workers/dashboard/ui/kit/format.ts";
import { type Column, DataTable } from "#workers/dashboard/ui/kit/list/table.tsx";
import { Ago } from "#workers/dashboard/ui/kit/time.tsx";
import type { Backup } from "./backups.ts";

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
        </span>
      </>
    ),
  },
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
  const actions: Column<Backup> = {
    header: "Actions",
    width: 136,
    right: true,
    cell: (backup) => (
      <span className="flex gap-1.5">
        {onRestore === undefined ? null : (
          <Button small aria-label={`Restore backup of ${timeOf(backup)}`} onClick={() => onRestore(backup)}>
            Restore…
          </Button>
        )}
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
          <Button small variant="ghost" onClick={() => setShown((now) => now + 5 * PAGE)}>
            Show older backups ({formatNumber(more)})
          </Button>
        </div>
      )}
    </>
  );
}
