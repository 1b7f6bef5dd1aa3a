/** All partners, for whom to choose of. */
import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { MAX_LIMIT } from "#workers/contracts/api/paging.ts";
import { type Partner, partnerRoutes } from "#workers/contracts/api/people/partners.ts";
import { readPages } from "./queries.ts";
import { useViewer } from "./session.ts";

/** @returns none to a partner root, who has one alone, and as many as are read so far to a platform root */
export function usePartners(): readonly Partner[] {
  const { isRoot } = useViewer();
  const query = useInfiniteQuery({
    ...readPages(partnerRoutes.listPartners, { query: { limit: MAX_LIMIT } }),
    enabled: isRoot,
  });
  const { hasNextPage, isFetching, isError, fetchNextPage } = query;
  useEffect(() => {
    if (hasNextPage && !isFetching && !isError) void fetchNextPage();
  }, [hasNextPage, isFetching, isError, fetchNextPage]);
  return query.data?.pages.flatMap(({ data }) => data) ?? [];
}
