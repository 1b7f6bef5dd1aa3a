import type { Runs } from "#workers/contracts/api/tenants/instances.ts";
import { formatAgo } from "#workers/dashboard/ui/kit/format.ts";
import { Notice } from "#workers/dashboard/ui/kit/notice.tsx";
import { Moment, useNow } from "#workers/dashboard/ui/kit/time.tsx";

export function MaintenanceNotice({ runs: { maintenance } }: { runs: Runs }) {
  const now = useNow();
  if (maintenance === null) return null;
  const isDue = Date.parse(maintenance.from) <= now;
  return (
    <Notice tone="info" title="Maintenance scheduled">
      <p>
        From <Moment at={maintenance.from} />
        {isDue ? "" : `, ${formatAgo(maintenance.from, now, "long")},`} the instance changes to another version. Its
        state is backed up and its gateway restarts, usually within a few minutes. If the new version does not run, the
        instance returns to the current one. Its administrators have been notified.
      </p>
    </Notice>
  );
}
