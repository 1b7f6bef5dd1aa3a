import { Download, Pin, PinOff, Trash2 } from "lucide-react";
import { useCallback, useMemo, useState } from "react";
import { instanceDataRoutes } from "#workers/contracts/api/instances/instance-data.ts";
import { instanceRoutes } from "#workers/contracts/api/instances/instances.ts";
import { addressOf } from "#workers/dashboard/ui/api/ask.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { Button, ButtonAnchor } from "#workers/dashboard/ui/kit/button.tsx";
import { formatBytes, formatInstant, formatNumber } from "#workers/dashboard/ui/kit/format.ts";
import { type Column, DataTable } from "#workers/dashboard/ui/kit/list/table.tsx";
import { Ago, useNow } from "#workers/dashboard/ui/kit/time.tsx";
import { BACKUPS_TAG, type Backup } from "./backups.ts";
import { countByDay, dayInWords, dayOf, momentOf, newestOfDays } from "./days.ts";
import { reasonInWords } from "./reasons.ts";

/** Rows shown at first; there may be thousands. */
const FIRST = { days: 7, perDay: 5 };

const times = new Intl.DateTimeFormat(undefined, { timeStyle: "short" });
const timeOf = ({ created_at }: Backup) => times.format(new Date(created_at));
/** Narrow screens show other reasons instead of how long ago. */
const USUAL: ReadonlySet<Backup["reason"]> = new Set(["scheduled", "unknown"]);

const byNewest = (a: Backup, b: Backup) => Date.parse(b.created_at) - Date.parse(a.created_at);

const columns: readonly Column<Backup>[] = [
  {
    header: "Created",
    cell: (backup) => (
      <>
        <time dateTime={backup.created_at} title={formatInstant(backup.created_at)} className="tabular-nums">
          {timeOf(backup)}
        </time>
        <span className="block text-xs text-quiet">
          <span className={USUAL.has(backup.reason) ? "" : "hidden sm:inline"}>
            <Ago at={backup.created_at} long />
          </span>
          {USUAL.has(backup.reason) ? null : <span className="sm:hidden">{reasonInWords(backup)}</span>}
          {backup.kept ? " · kept" : null}
        </span>
      </>
    ),
  },
  { header: "Reason", from: "sm", cell: reasonInWords },
  { header: "Size", right: true, from: "sm", cell: ({ bytes }) => formatBytes(bytes) },
  {
    header: "Version",
    from: "md",
    cell: ({ gateway }) => (gateway === null ? <Unknown /> : `${gateway.name} ${gateway.version}`),
  },
];
const Unknown = () => <span className="text-quiet">Unknown</span>;

interface BackupTableProps {
  instanceId: string;
  backups: readonly Backup[];
  onRestore: ((backup: Backup) => void) | undefined;
  /** Whether restores must wait. */
  mustWait: boolean;
}

export function BackupTable({ instanceId, backups, onRestore, mustWait }: BackupTableProps) {
  const [showsAll, setShowsAll] = useState(false);
  // Uploaded backups are apart.
  const sorted = useMemo(() => backups.toSorted(byNewest), [backups]);
  const shown = useMemo(() => (showsAll ? sorted : newestOfDays(sorted, FIRST)), [sorted, showsAll]);
  const more = backups.length - shown.length;
  const counts = useMemo(() => countByDay(backups), [backups]);
  const heading = useCallback(
    (day: string) => <DayHeading day={day} hidden={showsAll ? 0 : (counts.get(day) ?? 0) - FIRST.perDay} />,
    [counts, showsAll],
  );
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
    width: 270,
    right: true,
    cell: (backup) => (
      <span className="flex gap-1.5">
        {onRestore === undefined ? null : (
          <Button
            small
            disabled={mustWait}
            aria-label={`Restore backup of ${momentOf(backup)}`}
            onClick={() => onRestore(backup)}
          >
            Restore…
          </Button>
        )}
        <Button
          small
          variant="ghost"
          aria-label={`${backup.kept ? "Stop keeping" : "Keep"} backup of ${momentOf(backup)}`}
          title={
            backup.kept ? "Then this backup is deleted for its age" : "Then this backup is kept, however old it is"
          }
          onClick={() =>
            keep.mutate({ params: { instance_id: instanceId, backup_id: backup.id }, body: { kept: !backup.kept } })
          }
        >
          {backup.kept ? <PinOff aria-hidden="true" /> : <Pin aria-hidden="true" />}
          <span className="hidden sm:inline">{backup.kept ? "Stop keeping" : "Keep"}</span>
        </Button>
        {backup.reason === "uploaded" ? (
          <Button
            small
            icon
            variant="ghost"
            aria-label={`Delete backup of ${momentOf(backup)}`}
            title="Delete this backup"
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
          aria-label={`Download backup of ${momentOf(backup)}`}
          title="Download this backup"
        >
          <Download aria-hidden="true" />
        </ButtonAnchor>
      </span>
    ),
  };
  return (
    <>
      <DataTable
        label="Backups"
        columns={[...columns, actions]}
        rows={shown}
        idOf={({ id }) => id}
        groupOf={dayOf}
        groupHeading={heading}
      />
      {more <= 0 ? null : (
        <div className="border-t border-line px-4 py-2.5">
          <Button small variant="ghost" onClick={() => setShowsAll(true)}>
            Show all backups ({formatNumber(more)} more)
          </Button>
        </div>
      )}
    </>
  );
}

function DayHeading({ day, hidden }: { day: string; hidden: number }) {
  const now = useNow();
  return (
    <>
      {dayInWords(day, now)}
      {hidden <= 0 ? null : (
        <span className="ml-2 font-normal text-quiet">
          newest {FIRST.perDay} of {FIRST.perDay + hidden}
        </span>
      )}
    </>
  );
}
