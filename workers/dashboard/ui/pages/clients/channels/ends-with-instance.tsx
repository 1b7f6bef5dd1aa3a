import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { CHANNEL_KINDS } from "#domain/channels/kinds.ts";
import { channelRoutes } from "#workers/contracts/api/tenants/channels.ts";
import { apiQuery } from "#workers/dashboard/ui/api/queries.ts";
import { formatNumber } from "#workers/dashboard/ui/kit/format.ts";
import { inboxOf } from "../webhooks/inbox/inbox.ts";

/** Messages and channels that end with an instance, in the dialog that removes it. */
export function EndsWithInstance({ instanceId }: { instanceId: string }) {
  const inbox = useInfiniteQuery(inboxOf(instanceId, undefined));
  const channels = useQuery(apiQuery(channelRoutes.listChannels, { params: { instance_id: instanceId } }));
  const status = inbox.data?.pages[0]?.inbox;
  const bots = channels.data?.data.map(({ kind, account }) => `${CHANNEL_KINDS[kind].label} (${account.name})`) ?? [];
  return (
    <ul aria-label="Also deleted" className="list-disc pl-5 text-quiet">
      {status === undefined ? (
        <li>{inbox.isError ? "The messages of its inbox. Their number is unknown." : "The messages of its inbox."}</li>
      ) : (
        <li>
          {formatNumber(status.pending)} waiting and {formatNumber(status.dead)} failed messages of its inbox. To keep
          them, export the inbox first.
        </li>
      )}
      {bots.length === 0 ? null : (
        <li>The channels {bots.join(", ")}. The job of the removal then lists what to do at the messengers.</li>
      )}
    </ul>
  );
}
