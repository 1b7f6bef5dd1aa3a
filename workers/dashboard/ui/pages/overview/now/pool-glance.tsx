import { useQuery } from "@tanstack/react-query";
import { MAX_LIMIT } from "#workers/contracts/api/paging.ts";
import { aiGatewayRoutes } from "#workers/contracts/api/tenants/ai-gateways.ts";
import { read } from "#workers/dashboard/ui/api/queries.ts";
import { useViewer } from "#workers/dashboard/ui/api/session.ts";
import { Meter } from "#workers/dashboard/ui/kit/chart/meter.tsx";
import { formatNumber } from "#workers/dashboard/ui/kit/format.ts";
import { Glance } from "./glance.tsx";

/** How much room the shared AI gateways have for this environment's tenants. */
export function PoolGlance() {
  const { environment } = useViewer();
  const pool = useQuery(read(aiGatewayRoutes.listAiGateways, { query: { limit: MAX_LIMIT } }));
  return (
    <Glance title="AI gateways" to="/gateways" more="All of the pool" query={pool}>
      {({ data }) => {
        const usable = data.filter((entry) => entry.enabled && (entry.environment ?? environment) === environment);
        const most = usable.reduce((sum, { max_instances }) => sum + max_instances, 0);
        const bound = usable.reduce((sum, entry) => sum + Math.min(entry.bound, entry.max_instances), 0);
        return usable.length === 0 ? (
          <p className="text-quiet">
            No entry of the pool takes tenants: new ones get a gateway of their own, where that is allowed.
          </p>
        ) : (
          <div className="flex flex-col gap-2">
            <p>
              <span className="text-lg font-semibold tabular-nums">{formatNumber(most - bound)}</span>{" "}
              <span className="text-quiet">free {most - bound === 1 ? "slot" : "slots"}</span>
            </p>
            <Meter
              label={`In ${usable.length} ${usable.length === 1 ? "entry" : "entries"}`}
              value={bound}
              most={most}
            />
          </div>
        );
      }}
    </Glance>
  );
}
