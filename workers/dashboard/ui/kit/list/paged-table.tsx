/** A list of the API as a table that reads on while it is scrolled. */
import type { InfiniteData, UseInfiniteQueryResult } from "@tanstack/react-query";
import type { RowData } from "@tanstack/react-table";
import { useCallback, useMemo } from "react";
import { Failed, Loading, NotReadAnew } from "../states.tsx";
import { DataTable, type DataTableProps } from "./table.tsx";

export interface PagedTableProps<T extends RowData>
  extends Omit<DataTableProps<T>, "rows" | "more" | "loadingMore" | "onMore"> {
  query: UseInfiniteQueryResult<InfiniteData<{ data: T[] }>, Error>;
}

export function PagedTable<T extends RowData>({ query, ...table }: PagedTableProps<T>) {
  const { data, fetchNextPage } = query;
  const rows = useMemo(() => data?.pages.flatMap((page) => page.data), [data]);
  const more = useCallback(() => void fetchNextPage(), [fetchNextPage]);
  if (rows === undefined) {
    return query.error === null ? (
      <div className="p-4">
        <Loading lines={8} />
      </div>
    ) : (
      <Failed error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />
    );
  }
  return (
    <>
      <NotReadAnew query={query} />
      <DataTable
        {...table}
        rows={rows}
        more={query.hasNextPage && !query.isFetchNextPageError}
        loadingMore={query.isFetchingNextPage}
        onMore={more}
      />
      {query.isFetchNextPageError && query.error !== null ? (
        <Failed error={query.error} onRetry={more} retrying={query.isFetchingNextPage} />
      ) : null}
    </>
  );
}
