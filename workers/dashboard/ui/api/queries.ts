/** Reads by route. Results are cached under the route's tag, so that an event of an entity refetches all of them. */
import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { pageOf } from "#workers/contracts/api/paging.ts";
import type { Route } from "#workers/contracts/api/route.ts";
import { type Answer, callApi, type Input } from "./ask.ts";
import { liveState } from "./stores.ts";

/** Without live events. */
const POLL_MS = 15_000;
/** With live events, for what changes without one: usage, audit entries and parts of other lists. */
const SLOW_POLL_MS = 60_000;
const WITHOUT_EVENTS: ReadonlySet<string> = new Set([
  "analytics",
  "audit",
  "billing",
  "notifications",
  "partners",
  "versions",
]);

const pollInterval = (tag: string) => (): number | false =>
  liveState.get() === "live" ? WITHOUT_EVENTS.has(tag) && SLOW_POLL_MS : POLL_MS;

export function apiQuery<const R extends Route>(route: R, input: Input<R>) {
  return queryOptions({
    queryKey: [route.tag, route.path, input],
    queryFn: ({ signal }): Promise<Answer<R>> => callApi(route, input, { signal }),
    refetchInterval: pollInterval(route.tag),
  });
}

type PagedRoute = Route & { readonly answer: ReturnType<typeof pageOf> };

/** Reads all pages of a list, one by one. The previous list stays until the first page of another filter is loaded. */
export function readPages<const R extends PagedRoute>(route: R, input: Input<R>) {
  return infiniteQueryOptions({
    queryKey: [route.tag, route.path, "pages", input],
    queryFn: ({ signal, pageParam }) => {
      const { query = {} } = input as { query?: object };
      const request = { ...input, query: { ...query, ...(pageParam !== null && { after: pageParam }) } };
      return callApi(route, request as Input<R>, { signal }) as Promise<Answer<R>>;
    },
    initialPageParam: null as string | null,
    getNextPageParam: (last) => (last as Answer<PagedRoute>).pagination.next,
    placeholderData: keepPreviousData,
    refetchInterval: pollInterval(route.tag),
  });
}
