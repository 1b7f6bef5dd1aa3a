import { useQuery } from "@tanstack/react-query";
import { RotateCw } from "lucide-react";
import { useState } from "react";
import { type Instance, instanceRoutes } from "#workers/contracts/api/instances/instances.ts";
import { callApi } from "../../api/ask.ts";
import { Button } from "../../kit/button.tsx";
import { CONTROL } from "../../kit/form/control.ts";
import { Card } from "../../kit/layout/card.tsx";
import { ScrollRegion } from "../../kit/layout/scroll-region.tsx";
import { Empty, Loaded } from "../../kit/states.tsx";

const POLL_MS = 15_000;

interface LogCardProps {
  instance: Pick<Instance, "id">;
  /** Whether the page is about the log, which is then open and refreshed. Default: false. */
  follows?: boolean;
}

export function LogCard({ instance: { id }, follows = false }: LogCardProps) {
  const [open, setOpen] = useState(follows);
  const log = useQuery({
    queryKey: ["instance log", id],
    queryFn: ({ signal }) => callApi(instanceRoutes.getInstanceLog, { params: { instance_id: id } }, { signal }),
    enabled: open,
    refetchInterval: follows && POLL_MS,
  });
  const [search, setSearch] = useState("");
  const wanted = search.trim().toLowerCase();
  return (
    <Card
      flush
      title="Log"
      about={follows ? "The newest lines are at the end." : "Gateway exits and the latest lines"}
      actions={
        <>
          {open ? (
            <input
              type="search"
              aria-label="Search the log"
              placeholder="Search"
              value={search}
              onChange={(event) => setSearch(event.currentTarget.value)}
              className={`${CONTROL} h-7 w-40`}
            />
          ) : null}
          {open ? (
            <Button small busy={log.isFetching} onClick={() => void log.refetch()}>
              {log.isFetching ? null : <RotateCw aria-hidden="true" />} Refresh log
            </Button>
          ) : null}
          {follows ? null : (
            <Button small aria-expanded={open} onClick={() => setOpen((now) => !now)}>
              {open ? "Hide log" : "Show log"}
            </Button>
          )}
        </>
      }
    >
      {open ? (
        <Loaded query={log} loading={<p className="px-4 pb-4 text-quiet">Loading the log…</p>}>
          {({ lines }) =>
            lines.length === 0 ? (
              <Empty title="The log is empty">Lines appear when the agent starts. To wake it, open it.</Empty>
            ) : (
              <LogLines lines={lines.filter((line) => line.toLowerCase().includes(wanted))} />
            )
          }
        </Loaded>
      ) : null}
    </Card>
  );
}

const LogLines = ({ lines }: { lines: readonly string[] }) =>
  lines.length === 0 ? (
    <Empty title="No line has this text" />
  ) : (
    <ScrollRegion label="Log lines" className="max-h-[60vh] border-t border-line px-4 py-3">
      <pre className="text-xs whitespace-pre-wrap">{lines.join("\n")}</pre>
    </ScrollRegion>
  );
