import { useQuery } from "@tanstack/react-query";
import { MAX_LIMIT } from "#workers/contracts/api/paging.ts";
import { aiGatewayRoutes } from "#workers/contracts/api/tenants/ai-gateways.ts";
import { read } from "#workers/dashboard/ui/api/queries.ts";
import { useViewer } from "#workers/dashboard/ui/api/session.ts";
import { Meter } from "#workers/dashboard/ui/kit/chart/meter.tsx";
import { formatNumber } from "#workers/dashboard/ui/kit/format.ts";
import { StatusCard } from "./status-card.tsx";

export function PoolStatus() {
  const { environment } = useViewer();
  const pool = useQuery(read(aiGatewayRoutes.listAiGateways, { query: { limit: MAX_LIMIT } }));
  return (
    <StatusCard title="AI gateways" to="/gateways" more="Show AI gateways" query={pool}>
      {({ data }) => {
        const usable = data.filter((entry) => entry.enabled && (entry.environment ?? environment) === environment);
        const most = usable.reduce((sum, { max_instances }) => sum + max_instances, 0);
        const bound = usable.reduce((sum, entry) => sum + Math.min(entry.bound, entry.max_instances), 0);
        return usable.length === 0 ? (
          <p className="text-quiet">
            No shared gateway accepts tenants. New tenants get a dedicated gateway if the platform allows it.
          </p>
        ) : (
          <div className="flex flex-col gap-2">
            <p>
              <span className="text-lg font-semibold tabular-nums">{formatNumber(most - bound)}</span>{" "}
              <span className="text-quiet">free {most - bound === 1 ? "slot" : "slots"}</span>
            </p>
            <Meter
              label={`In ${usable.length} ${usable.length === 1 ? "gateway" : "gateways"}`}
              value={bound}
              max={most}
            />
          </div>
        );
      }}
    </StatusCard>
  );
}
