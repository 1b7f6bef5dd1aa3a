/** A separate tag: listing the inbox calls the tenant's Worker, and a new message causes no live event. */
import { infiniteQueryOptions, keepPreviousData } from "@tanstack/react-query";
import { doorRoutes } from "#workers/contracts/api/tenants/doors.ts";
import type { MessageState } from "#workers/contracts/tenant/inbox.ts";
import { type Answer, callApi } from "#workers/dashboard/ui/api/ask.ts";

export type InboxStatus = Answer<typeof doorRoutes.listInbox>["inbox"];

export const INBOX_TAG = "inbox";
const POLL_MS = 15_000;

/** @param state undefined: pending and dead messages */
export const inboxOf = (instanceId: string, state: MessageState | undefined) =>
  infiniteQueryOptions({
    queryKey: [INBOX_TAG, instanceId, state ?? null],
    queryFn: ({ signal, pageParam }) =>
      callApi(
        doorRoutes.listInbox,
        { params: { instance_id: instanceId }, query: { state, after: pageParam ?? undefined } },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ pagination }) => pagination.next,
    placeholderData: keepPreviousData,
    refetchInterval: POLL_MS,
  });
