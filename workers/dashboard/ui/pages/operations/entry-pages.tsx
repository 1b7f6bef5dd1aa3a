import type { InfiniteData, UseInfiniteQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Button } from "../../kit/button.tsx";
import { Fault, Loaded, Loading } from "../../kit/states.tsx";

interface EntryPagesProps<T> {
  label: string;
  query: UseInfiniteQueryResult<InfiniteData<{ data: T[] }>, Error>;
  idOf: (entry: T) => string;
  empty: ReactNode;
  children: (entry: T) => ReactNode;
}

export function EntryPages<T>({ label, query, idOf, empty, children }: EntryPagesProps<T>) {
  return (
    <Loaded query={query} loading={<Loading lines={8} padded />}>
      {({ pages }) =>
        pages.every(({ data }) => data.length === 0) ? (
          empty
        ) : (
          <>
            <ul aria-label={label} className="divide-y divide-line">
              {pages.flatMap(({ data }) => data.map((entry) => <li key={idOf(entry)}>{children(entry)}</li>))}
            </ul>
            {query.hasNextPage ? (
              <div className="flex flex-col items-center gap-2 border-t border-line p-3">
                <Fault error={query.isFetchNextPageError ? query.error : null} />
                <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
                  Show older entries
                </Button>
              </div>
            ) : null}
          </>
        )
      }
    </Loaded>
  );
}
