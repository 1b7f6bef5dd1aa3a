import { FULL_INBOX } from "#workers/contracts/api/tenants/inbox-texts.ts";
import { Meter } from "#workers/dashboard/ui/kit/chart/meter.tsx";
import { formatNumber } from "#workers/dashboard/ui/kit/format.ts";
import { Notice } from "#workers/dashboard/ui/kit/notice.tsx";
import { Ago, useNow } from "#workers/dashboard/ui/kit/time.tsx";
import type { InboxStatus } from "./inbox.ts";

const OLD_MS = 10 * 60_000;

export function InboxStatusView({ status: { pending, dead, limit, oldest_at } }: { status: InboxStatus }) {
  const now = useNow();
  const stored = pending + dead;
  const isFull = stored >= limit;
  return (
    <div className="flex flex-col gap-3 px-4 pb-3">
      {stored < limit * FULL_INBOX.from ? null : (
        <Notice tone={isFull ? "bad" : "busy"} title={FULL_INBOX.title(isFull)}>
          <p>{FULL_INBOX.about(isFull)}</p>
        </Notice>
      )}
      {oldest_at === null || now - Date.parse(oldest_at) < OLD_MS ? null : (
        <Notice tone="busy" title="Messages have waited for a long time">
          <p>
            The oldest waiting message was received <Ago at={oldest_at} long />. Check the health of the agent, and the
            reasons below.
          </p>
        </Notice>
      )}
      <div className="max-w-md">
        <Meter
          label={`Messages: ${formatNumber(pending)} waiting, ${formatNumber(dead)} failed`}
          value={stored}
          max={limit}
        />
      </div>
    </div>
  );
}
