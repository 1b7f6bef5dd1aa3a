import type { InfiniteData, UseInfiniteQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Button } from "../../kit/button.tsx";
import { Failed, Fault, Loading, NotReadAnew } from "../../kit/states.tsx";

export interface EntryPagesProps<T> {
  label: string;
  query: UseInfiniteQueryResult<InfiniteData<{ data: T[] }>, Error>;
  idOf: (entry: T) => string;
  empty: ReactNode;
  children: (entry: T) => ReactNode;
}

/** A list of the API whose entries are as high as what they tell; more of it is read on demand. */
export function EntryPages<T>({ label, query, idOf, empty, children }: EntryPagesProps<T>) {
  if (query.data === undefined) {
    return query.error === null ? (
      <div className="p-4">
        <Loading lines={8} />
      </div>
    ) : (
      <Failed error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />
    );
  }
  const entries = query.data.pages.flatMap(({ data }) => data);
  if (entries.length === 0) return empty;
  return (
    <>
      <NotReadAnew query={query} />
      <ul aria-label={label} className="divide-y divide-line">
        {entries.map((entry) => (
          <li key={idOf(entry)}>{children(entry)}</li>
        ))}
      </ul>
      {query.hasNextPage ? (
        <div className="flex flex-col items-center gap-2 border-t border-line p-3">
          <Fault error={query.isFetchNextPageError ? query.error : null} />
          <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            Show older ones
          </Button>
        </div>
      ) : null}
    </>
  );
}
