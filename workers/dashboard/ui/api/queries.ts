/** Reading by routes: what was read is kept under the route's tag, so that news of an entity have all of it read anew. */
import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { pageOf } from "#workers/contracts/api/paging.ts";
import type { Route } from "#workers/contracts/api/route.ts";
import { type Answer, ask, type Input } from "./ask.ts";
import { whileNotLive } from "./live-state.ts";

/** How often is read what changes while no news are heard, in milliseconds. */
const POLL_MS = 15_000;
/** How often is read what not all news tell of, in milliseconds. */
const SLOW_MS = 60_000;
/** Tags of what changes without a word: usage, the log of changes, what is known of images, hosts and books. */
const UNTOLD: ReadonlySet<string> = new Set(["analytics", "audit", "billing", "partners", "versions"]);

const interval = (tag: string) => (): number | false => whileNotLive(POLL_MS) || (UNTOLD.has(tag) && SLOW_MS);

/** What a route answers. */
export function read<const R extends Route>(route: R, input: Input<R>) {
  return queryOptions({
    queryKey: [route.tag, route.path, input],
    queryFn: ({ signal }): Promise<Answer<R>> => ask(route, input, { signal }),
    refetchInterval: interval(route.tag),
  });
}

/** A route that answers a page of a list. */
type PagedRoute = Route & { readonly answer: ReturnType<typeof pageOf> };

/** All pages of a list, one after the other. What was shown stays until another filter's first page is there. */
export function readPages<const R extends PagedRoute>(route: R, input: Input<R>) {
  return infiniteQueryOptions({
    queryKey: [route.tag, route.path, "pages", input],
    queryFn: ({ signal, pageParam }) => {
      const { query = {} } = input as { query?: object };
      const asked = { ...input, query: { ...query, ...(pageParam !== null && { after: pageParam }) } };
      return ask(route, asked as Input<R>, { signal }) as Promise<Answer<R>>;
    },
    initialPageParam: null as string | null,
    getNextPageParam: (last) => (last as Answer<PagedRoute>).pagination.next,
    placeholderData: keepPreviousData,
    refetchInterval: interval(route.tag),
  });
}
