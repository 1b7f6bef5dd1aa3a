import { useQuery } from "@tanstack/react-query";
import { capacityRoutes } from "#workers/contracts/api/capacity.ts";
import { read } from "#workers/dashboard/ui/api/queries.ts";
import { Meter } from "#workers/dashboard/ui/kit/chart/meter.tsx";
import { formatNumber } from "#workers/dashboard/ui/kit/format.ts";
import { capacityFormat, capacityNames } from "../../operations/capacity/capacity-names.ts";
import { StatusCard } from "./status-card.tsx";

const MAX_METERS = 2;

export function CapacityStatus() {
  const capacity = useQuery(read(capacityRoutes.getCapacity, {}));
  return (
    <StatusCard title="Account" to="/operations/capacity" more="Show capacity" query={capacity}>
      {({ data, tenants_left }) =>
        data.length === 0 ? (
          <p className="text-quiet">Not counted yet. The automation service counts every 15 minutes.</p>
        ) : (
          <div className="flex flex-col gap-2">
            {tenants_left === null ? null : (
              <p>
                <span className="text-lg font-semibold tabular-nums">{formatNumber(tenants_left)}</span>{" "}
                <span className="text-quiet">more tenants possible</span>
              </p>
            )}
            {data
              .toSorted((a, b) => b.used / b.most - a.used / a.most)
              .slice(0, MAX_METERS)
              .map(({ kind, used, most }) => (
                <Meter key={kind} label={capacityNames[kind]} value={used} max={most} format={capacityFormat(kind)} />
              ))}
          </div>
        )
      }
    </StatusCard>
  );
}
