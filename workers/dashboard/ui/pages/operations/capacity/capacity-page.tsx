import { useQuery } from "@tanstack/react-query";
import { TriangleAlert } from "lucide-react";
import { capacityRoutes } from "#workers/contracts/api/capacity.ts";
import type { Answer } from "#workers/dashboard/ui/api/ask.ts";
import { apiQuery } from "#workers/dashboard/ui/api/queries.ts";
import { Meter } from "#workers/dashboard/ui/kit/chart/meter.tsx";
import { formatNumber } from "#workers/dashboard/ui/kit/format.ts";
import { Card } from "#workers/dashboard/ui/kit/layout/card.tsx";
import { Page } from "#workers/dashboard/ui/kit/layout/page.tsx";
import { RootsOnly } from "#workers/dashboard/ui/kit/roots-only.tsx";
import { Empty, Loaded } from "#workers/dashboard/ui/kit/states.tsx";
import { Ago } from "#workers/dashboard/ui/kit/time.tsx";
import { capacityFormat, capacityNames } from "./capacity-names.ts";

const TITLE = "Capacity";

const CapacityPage = () => <RootsOnly title={TITLE}>{() => <Capacity />}</RootsOnly>;

function Capacity() {
  const capacity = useQuery(apiQuery(capacityRoutes.getCapacity, {}));
  return (
    <Page title={TITLE} about="Usage and limits of the platform's account.">
      <Loaded query={capacity} failed={(failed) => <Card>{failed}</Card>}>
        {(counted) =>
          counted.data.length === 0 ? (
            <Card>
              <Empty title="Not counted yet">
                The automation service counts the resources of the account every 15 minutes. If this persists, check
                that PLATFORM_STACK is set, and search its log for capacity_not_counted.
              </Empty>
            </Card>
          ) : (
            <CapacityCards counted={counted} />
          )
        }
      </Loaded>
    </Page>
  );
}

function CapacityCards({ counted: { data, tenants_left } }: { counted: Answer<typeof capacityRoutes.getCapacity> }) {
  const scarce = data.filter((one) => one.scarce);
  const oldest = data.map(({ counted_at }) => counted_at).toSorted()[0] ?? null;
  return (
    <>
      <div className="grid gap-4 md:grid-cols-2">
        <Card title="Available tenants" about="With shared AI gateways.">
          {tenants_left === null ? (
            <p className="text-quiet">Not all resources are counted yet.</p>
          ) : (
            <p>
              <span className="text-2xl font-semibold tabular-nums">{formatNumber(tenants_left)}</span> more tenants
            </p>
          )}
        </Card>
        <Card title="Scarce resources" about="At least 80 % used.">
          {scarce.length === 0 ? (
            <p className="text-quiet">None</p>
          ) : (
            <>
              <ul className="flex flex-col gap-1">
                {scarce.map(({ kind, used, most }) => (
                  <li key={kind} className="flex items-center gap-2">
                    <TriangleAlert
                      aria-hidden="true"
                      className={used >= most ? "size-4 text-bad" : "size-4 text-busy"}
                    />
                    {capacityNames[kind]}
                    <span className="text-quiet">
                      {used >= most ? "used up" : `${capacityFormat(kind)(most - used)} left`}
                    </span>
                  </li>
                ))}
              </ul>
              <p className="mt-2 text-[0.8125rem] text-quiet">
                Remove unused resources, which npm run fleet -- doctor lists. Or have the vendor raise the limit, then
                set ACCOUNT_LIMITS of the automation service.
              </p>
            </>
          )}
        </Card>
      </div>
      <Card
        title="All resources"
        about={
          <>
            Counted <Ago at={oldest} long />.
          </>
        }
      >
        <div className="grid gap-x-10 gap-y-4 md:grid-cols-2">
          {data.map(({ kind, used, most }) => (
            <Meter key={kind} label={capacityNames[kind]} value={used} max={most} format={capacityFormat(kind)} />
          ))}
        </div>
      </Card>
    </>
  );
}

export default CapacityPage;
