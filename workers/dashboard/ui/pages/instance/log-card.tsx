import { useQuery } from "@tanstack/react-query";
import { RotateCw } from "lucide-react";
import { useState } from "react";
import { type Instance, instanceRoutes } from "#workers/contracts/api/tenants/instances.ts";
import { callApi } from "../../api/ask.ts";
import { Button } from "../../kit/button.tsx";
import { Card } from "../../kit/layout/card.tsx";
import { ScrollRegion } from "../../kit/layout/scroll-region.tsx";
import { Empty, Loaded } from "../../kit/states.tsx";

interface LogCardProps {
  instance: Pick<Instance, "id">;
  /** Default: false. */
  startsOpen?: boolean;
}

export function LogCard({ instance: { id }, startsOpen = false }: LogCardProps) {
  const [open, setOpen] = useState(startsOpen);
  const log = useQuery({
    queryKey: ["instance log", id],
    queryFn: ({ signal }) => callApi(instanceRoutes.getInstanceLog, { params: { instance_id: id } }, { signal }),
    enabled: open,
  });
  return (
    <Card
      flush
      title="Log"
      about="Gateway exits and the latest lines"
      actions={
        <>
          {open ? (
            <Button small busy={log.isFetching} onClick={() => void log.refetch()}>
              {log.isFetching ? null : <RotateCw aria-hidden="true" />} Refresh log
            </Button>
          ) : null}
          <Button small aria-expanded={open} onClick={() => setOpen((now) => !now)}>
            {open ? "Hide log" : "Show log"}
          </Button>
        </>
      }
    >
      {open ? (
        <Loaded query={log} loading={<p className="px-4 pb-4 text-quiet">Loading the log…</p>}>
          {({ lines }) =>
            lines.length === 0 ? (
              <Empty title="The log is empty">
                Lines appear when the gateway starts. Wake it by opening the tenant.
              </Empty>
            ) : (
              <ScrollRegion label="Log lines" className="max-h-96 border-t border-line px-4 py-3">
                <pre className="text-xs whitespace-pre-wrap">{lines.join("\n")}</pre>
              </ScrollRegion>
            )
          }
        </Loaded>
      ) : null}
    </Card>
  );
}
