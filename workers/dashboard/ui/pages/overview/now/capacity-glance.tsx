import { useQuery } from "@tanstack/react-query";
import { capacityRoutes } from "#workers/contracts/api/capacity.ts";
import { read } from "#workers/dashboard/ui/api/queries.ts";
import { Meter } from "#workers/dashboard/ui/kit/chart/meter.tsx";
import { formatNumber } from "#workers/dashboard/ui/kit/format.ts";
import { capacityFormat, capacityNames } from "../../operations/capacity/capacity-names.ts";
import { Glance } from "./glance.tsx";

const SHOWN = 2;

/** What of the account is used most. */
export function CapacityGlance() {
  const capacity = useQuery(read(capacityRoutes.getCapacity, {}));
  return (
    <Glance title="Account" to="/operations/capacity" more="All of the account" query={capacity}>
      {({ data, tenants_left }) =>
        data.length === 0 ? (
          <p className="text-quiet">
            Not counted yet. The automation service counts when it next looks at the account.
          </p>
        ) : (
          <div className="flex flex-col gap-2">
            {tenants_left === null ? null : (
              <p>
                <span className="text-lg font-semibold tabular-nums">{formatNumber(tenants_left)}</span>{" "}
                <span className="text-quiet">more tenants fit</span>
              </p>
            )}
            {data
              .toSorted((a, b) => b.used / b.most - a.used / a.most)
              .slice(0, SHOWN)
              .map(({ kind, used, most }) => (
                <Meter key={kind} label={capacityNames[kind]} value={used} most={most} format={capacityFormat(kind)} />
              ))}
          </div>
        )
      }
    </Glance>
  );
}
