import { classes } from "#workers/dashboard/ui/kit/classes.ts";
import { Ago } from "#workers/dashboard/ui/kit/time.tsx";
import type { StreamState } from "./tenant-stream.ts";

export function SourceLine({ source, at }: { source: StreamState; at: string | undefined }) {
  const live = source === "live";
  return (
    <p className="flex flex-wrap items-center gap-x-2 text-xs text-quiet">
      <span role="status" className="flex items-center gap-1.5">
        <span aria-hidden="true" className={classes("size-2 rounded-full", live ? "bg-good" : "bg-busy")} />
        {live ? "Live from the tenant" : "Updates every 15 s"}
      </span>
      {at === undefined ? null : (
        <span>
          last probe <Ago at={at} />
        </span>
      )}
    </p>
  );
}
