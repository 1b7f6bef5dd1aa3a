import type { Runs } from "#workers/contracts/api/tenants/instances.ts";
import { formatAgo } from "#workers/dashboard/ui/kit/format.ts";
import { Notice } from "#workers/dashboard/ui/kit/notice.tsx";
import { Moment, useNow } from "#workers/dashboard/ui/kit/time.tsx";

/** What its people were told of already. */
export function MaintenanceNotice({ runs: { maintenance } }: { runs: Runs }) {
  const now = useNow();
  if (maintenance === null) return null;
  const isDue = Date.parse(maintenance.from) <= now;
  return (
    <Notice tone="info" title="Maintenance is planned">
      <p>
        From <Moment at={maintenance.from} />
        {isDue ? "" : `, ${formatAgo(maintenance.from, now, "long")},`} it gets another version: its state is backed up,
        and its gateway restarts, mostly within a few minutes. If the new version does not run, it goes back by itself.
        Its administrators were told.
      </p>
    </Notice>
  );
}
