/** What a page shows while it has nothing to show: it loads, there is nothing, or reading it failed. */
import type { UseQueryResult } from "@tanstack/react-query";
import { CircleAlert, RotateCw } from "lucide-react";
import type { ReactNode } from "react";
import { Refused, SessionEnded } from "../api/faults.ts";
import { Button } from "./button.tsx";
import { classes } from "./classes.ts";
import { formatInstant } from "./format.ts";

/** Room for what comes, so that nothing moves when it is there. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden="true" className={classes("animate-pulse rounded-md bg-sunken", className)} />;
}

export function Loading({ lines = 4 }: { lines?: number }) {
  return (
    <div role="status" className="flex flex-col gap-3 p-1">
      <span className="sr-only">Loading…</span>
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines are alike and never move.
        <Skeleton key={line} className={classes("h-5", line % 3 === 2 ? "w-1/2" : "w-full")} />
      ))}
    </div>
  );
}

export function Empty({ title, children, action }: { title: string; children?: ReactNode; action?: ReactNode }) {
  return (
    <div className="flex flex-col items-center gap-2 px-6 py-10 text-center">
      <p className="font-medium">{title}</p>
      {children === undefined ? null : <div className="max-w-md text-balance text-quiet">{children}</div>}
      {action === undefined ? null : <div className="mt-2">{action}</div>}
    </div>
  );
}

export interface FailedProps {
  error: Error;
  /** Tries again. */
  onRetry?: () => void;
  retrying?: boolean;
}

/** Why it failed, with the remedy that the API names. */
export function Failed({ error, onRetry, retrying = false }: FailedProps) {
  const absent = error instanceof Refused && error.code === "not_found";
  return (
    <div role="alert" className="flex flex-col items-center gap-2 px-6 py-10 text-center">
      <CircleAlert aria-hidden="true" className="size-6 text-bad" />
      <p className="font-medium">{absent ? "It is not here" : "This could not be read"}</p>
      <p className="max-w-md text-quiet">{error.message}</p>
      {onRetry === undefined || error instanceof SessionEnded ? null : (
        <Button onClick={onRetry} busy={retrying} className="mt-2">
          <RotateCw aria-hidden="true" /> Try again
        </Button>
      )}
    </div>
  );
}

/** What a change was refused for, beside the button that asked for it. */
export function Fault({ error }: { error: Error | null | undefined }) {
  if (error === null || error === undefined) return null;
  return (
    <p role="alert" className="flex gap-2 rounded-md bg-bad-soft px-3 py-2 text-[0.8125rem] text-bad">
      <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      <span className="min-w-0 break-words">{error.message}</span>
    </p>
  );
}

/** Says of what is shown that it could not be read anew. */
export function NotReadAnew({ query }: { query: Reading }) {
  if (query.error === null || query.error instanceof SessionEnded || query.isFetchNextPageError === true) return null;
  return (
    <div role="status" className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-1.5 text-[0.8125rem] text-busy">
      <CircleAlert aria-hidden="true" className="size-4 shrink-0" />
      <span className="min-w-0 flex-1 break-words">
        This is as of {formatInstant(new Date(query.dataUpdatedAt).toISOString())}, and could not be read anew.{" "}
        {query.error.message}
      </span>
      <Button small busy={query.isFetching} onClick={() => void query.refetch()}>
        Try again
      </Button>
    </div>
  );
}

/** What all kinds of queries have that hold data. */
interface Reading {
  error: Error | null;
  dataUpdatedAt: number;
  isFetching: boolean;
  isFetchNextPageError?: boolean;
  refetch: () => unknown;
}

export interface LoadedProps<T> {
  query: UseQueryResult<T, Error>;
  /** Default: some lines. */
  loading?: ReactNode;
  /** What stands around why it failed. Default: nothing. */
  failed?: (failed: ReactNode) => ReactNode;
  children: (data: T) => ReactNode;
}

const asItIs = (failed: ReactNode) => failed;

/** A query's data; until they are there, what it loads or why it failed. Data that are there stay when reading them anew fails. */
export function Loaded<T>({ query, loading = <Loading />, failed = asItIs, children }: LoadedProps<T>) {
  if (query.data !== undefined) {
    return (
      <>
        <NotReadAnew query={query} />
        {children(query.data)}
      </>
    );
  }
  if (query.error !== null) {
    return failed(<Failed error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />);
  }
  return loading;
}
