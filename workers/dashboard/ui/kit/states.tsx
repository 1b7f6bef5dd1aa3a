/** What a page shows instead of data: loading, empty or failed. */
import { CircleAlert, RotateCw } from "lucide-react";
import type { ReactNode } from "react";
import { Refused, SessionEnded } from "../api/faults.ts";
import { Button } from "./button.tsx";
import { joinClasses } from "./classes.ts";
import { formatInstant } from "./format.ts";

/** A placeholder of the size of the content, so that nothing shifts. */
export const Skeleton = ({ className }: { className?: string }) => (
  <div aria-hidden="true" className={joinClasses("animate-pulse rounded-md bg-sunken", className)} />
);

export const Loading = ({ lines = 4, padded = false }: { lines?: number; padded?: boolean }) => (
  <div role="status" className={joinClasses("flex flex-col gap-3", padded ? "p-5" : "p-1")}>
    <span className="sr-only">Loading…</span>
    {Array.from({ length: lines }, (_, line) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: lines are identical and never move.
      <Skeleton key={line} className={joinClasses("h-5", line % 3 === 2 ? "w-1/2" : "w-full")} />
    ))}
  </div>
);

export const Empty = ({ title, children, action }: { title: string; children?: ReactNode; action?: ReactNode }) => (
  <div className="flex flex-col items-center gap-2 px-6 py-10 text-center">
    <p className="font-medium">{title}</p>
    {children === undefined ? null : <div className="max-w-md text-balance text-quiet">{children}</div>}
    {action === undefined ? null : <div className="mt-2">{action}</div>}
  </div>
);

/** The parts of a query that this file needs; all kinds of queries have them. */
interface QueryState<T = unknown> {
  data: T | undefined;
  error: Error | null;
  dataUpdatedAt: number;
  isFetching: boolean;
  isFetchNextPageError?: boolean;
  refetch: () => unknown;
}

interface FailedProps {
  error: Error;
  onRetry: () => void;
  retrying?: boolean;
}

export function Failed({ error, onRetry, retrying = false }: FailedProps) {
  const isMissing = error instanceof Refused && error.code === "not_found";
  return (
    <div role="alert" className="flex flex-col items-center gap-2 px-6 py-10 text-center">
      <CircleAlert aria-hidden="true" className="size-6 text-bad" />
      <p className="font-medium">{isMissing ? "Not found" : "Failed to load"}</p>
      <p className="max-w-md text-quiet">{error.message}</p>
      {error instanceof SessionEnded ? null : (
        <Button onClick={onRetry} busy={retrying} className="mt-2">
          <RotateCw aria-hidden="true" /> Try again
        </Button>
      )}
    </div>
  );
}

/** Why a query failed, with a retry. Shows nothing otherwise. */
export const QueryFault = ({ query: { error, refetch, isFetching } }: { query: QueryState }) =>
  error === null ? null : <Failed error={error} onRetry={() => void refetch()} retrying={isFetching} />;

/** Why a change was rejected, beside its button. */
export function Fault({ error }: { error: Pick<Error, "message"> | null }) {
  if (error === null) return null;
  return (
    <p role="alert" className="flex gap-2 rounded-md bg-bad-soft px-3 py-2 text-[0.8125rem] text-bad">
      <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      <span className="min-w-0 break-words">{error.message}</span>
    </p>
  );
}

/** Says that the data shown could not be refreshed. */
function StaleNotice({ query }: { query: QueryState }) {
  if (query.error === null || query.error instanceof SessionEnded || query.isFetchNextPageError === true) return null;
  return (
    <div role="status" className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-1.5 text-[0.8125rem] text-busy">
      <CircleAlert aria-hidden="true" className="size-4 shrink-0" />
      <span className="min-w-0 flex-1 break-words">
        Failed to refresh. This is the state of {formatInstant(new Date(query.dataUpdatedAt).toISOString())}.{" "}
        {query.error.message}
      </span>
      <Button small busy={query.isFetching} onClick={() => void query.refetch()}>
        Try again
      </Button>
    </div>
  );
}

interface LoadedProps<T> {
  query: QueryState<T>;
  loading?: ReactNode;
  /** Wraps the error. Default: nothing around it. */
  failed?: (failed: ReactNode) => ReactNode;
  children: (data: T) => ReactNode;
}

const unwrapped = (failed: ReactNode) => failed;

/** Shows a query's data, which stays if a refetch fails; before that, the placeholder or the error. */
export function Loaded<T>({ query, loading = <Loading />, failed = unwrapped, children }: LoadedProps<T>) {
  if (query.data === undefined) return query.error === null ? loading : failed(<QueryFault query={query} />);
  return (
    <>
      <StaleNotice query={query} />
      {children(query.data)}
    </>
  );
}
