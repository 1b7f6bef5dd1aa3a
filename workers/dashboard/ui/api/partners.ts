import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { MAX_LIMIT } from "#workers/contracts/api/paging.ts";
import { type Partner, partnerRoutes } from "#workers/contracts/api/people/partners.ts";
import { readPages } from "./queries.ts";
import { useViewer } from "./session.ts";

/** Returns the partners loaded so far; none for a partner root. */
export function usePartners(): readonly Partner[] {
  const { isRoot } = useViewer();
  const { data, hasNextPage, isFetching, isError, fetchNextPage } = useInfiniteQuery({
    ...readPages(partnerRoutes.listPartners, { query: { limit: MAX_LIMIT } }),
    enabled: isRoot,
  });
  useEffect(() => {
    if (hasNextPage && !isFetching && !isError) void fetchNextPage();
  }, [hasNextPage, isFetching, isError, fetchNextPage]);
  return data?.pages.flatMap((page) => page.data) ?? [];
}
