import { Download } from "lucide-react";
import { useState } from "react";
import { instanceRoutes } from "#workers/contracts/api/tenants/instances.ts";
import { addressOf } from "#workers/dashboard/ui/api/ask.ts";
import { Button, ButtonAnchor } from "#workers/dashboard/ui/kit/button.tsx";
import { formatBytes, formatInstant, formatNumber } from "#workers/dashboard/ui/kit/format.ts";
import type { Backup } from "./backups.ts";

/** Rows shown at first; there may be thousands. */
const PAGE = 10;

interface BackupTableProps {
  instanceId: string;
  backups: readonly Backup[];
  onRestore: ((backup: Backup) => void) | undefined;
}

const times = new Intl.DateTimeFormat(undefined, {
  day: "numeric",
  month: "short",
  hour: "numeric",
  minute: "2-digit",
});

export function BackupTable({ instanceId, backups, onRestore }: BackupTableProps) {
  const [shown, setShown] = useState(PAGE);
  const more = backups.length - shown;
  return (
    <>
      <table aria-label="Backups" className="w-full text-[0.8125rem]">
        <thead className="text-xs text-quiet">
          <tr className="h-9 border-b border-line">
            <th scope="col" className="px-4 text-left font-medium">
              Created
            </th>
            <th scope="col" className="hidden px-3 text-right font-medium sm:table-cell">
              Size
            </th>
            <th scope="col" className="hidden px-3 text-left font-medium md:table-cell">
              Gateway
            </th>
            <th scope="col" className="px-4 text-right font-medium">
              Actions
            </th>
          </tr>
        </thead>
        <tbody>
          {backups.slice(0, shown).map((backup) => (
            <tr key={backup.id} className="h-11 border-b border-line last:border-b-0 hover:bg-hover">
              <td className="px-4 whitespace-nowrap tabular-nums">
                <time dateTime={backup.created_at} title={formatInstant(backup.created_at)}>
                  {times.format(new Date(backup.created_at))}
                </time>
              </td>
              <td className="hidden px-3 text-right tabular-nums sm:table-cell">{formatBytes(backup.bytes)}</td>
              <td className="hidden px-3 md:table-cell">
                {backup.gateway === null ? (
                  <span className="text-quiet">Unknown</span>
                ) : (
                  `${backup.gateway.name} ${backup.gateway.version}`
                )}
              </td>
              <td className="px-4">
                <span className="flex justify-end gap-1.5">
                  {onRestore === undefined ? null : (
                    <Button
                      small
                      aria-label={`Restore backup of ${times.format(new Date(backup.created_at))}`}
                      onClick={() => onRestore(backup)}
                    >
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
                    aria-label={`Download backup of ${times.format(new Date(backup.created_at))}`}
                  >
                    <Download aria-hidden="true" />
                  </ButtonAnchor>
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
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
