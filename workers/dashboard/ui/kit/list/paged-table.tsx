import type { InfiniteData, UseInfiniteQueryResult } from "@tanstack/react-query";
import type { RowData } from "@tanstack/react-table";
import { useCallback, useMemo } from "react";
import { Failed, Loaded, Loading } from "../states.tsx";
import { DataTable, type DataTableProps } from "./table.tsx";

export interface PagedTableProps<T extends RowData>
  extends Omit<DataTableProps<T>, "rows" | "more" | "loadingMore" | "onMore"> {
  query: UseInfiniteQueryResult<InfiniteData<{ data: T[] }>, Error>;
}

/** A list of the API as a table that loads more pages while it is scrolled. */
export function PagedTable<T extends RowData>({ query, ...table }: PagedTableProps<T>) {
  const { data, fetchNextPage } = query;
  const rows = useMemo(() => data?.pages.flatMap((page) => page.data) ?? [], [data]);
  const more = useCallback(() => void fetchNextPage(), [fetchNextPage]);
  return (
    <Loaded query={query} loading={<Loading lines={8} padded />}>
      {() => (
        <>
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
      )}
    </Loaded>
  );
}
