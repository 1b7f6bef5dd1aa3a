import { useQuery } from "@tanstack/react-query";
import { TriangleAlert } from "lucide-react";
import { capacityRoutes } from "#workers/contracts/api/capacity.ts";
import type { Answer } from "#workers/dashboard/ui/api/ask.ts";
import { read } from "#workers/dashboard/ui/api/queries.ts";
import { Meter } from "#workers/dashboard/ui/kit/chart/meter.tsx";
import { formatNumber } from "#workers/dashboard/ui/kit/format.ts";
import { Card } from "#workers/dashboard/ui/kit/layout/card.tsx";
import { Page } from "#workers/dashboard/ui/kit/layout/page.tsx";
import { RootsOnly } from "#workers/dashboard/ui/kit/roots-only.tsx";
import { Empty, Loaded } from "#workers/dashboard/ui/kit/states.tsx";
import { Ago } from "#workers/dashboard/ui/kit/time.tsx";
import { capacityFormat, capacityNames } from "./capacity-names.ts";

const TITLE = "Capacity";

export const CapacityPage = () => <RootsOnly title={TITLE}>{() => <Counted />}</RootsOnly>;

function Counted() {
  const capacity = useQuery(read(capacityRoutes.getCapacity, {}));
  return (
    <Page title={TITLE} about="What the platform's account holds of each limited thing, and what it may hold.">
      <Loaded query={capacity} failed={(failed) => <Card>{failed}</Card>}>
        {(counted) =>
          counted.data.length === 0 ? (
            <Card>
              <Empty title="Nothing was counted yet">
                The automation service counts what the account holds each quarter of an hour. If it stays so: does the
                service deploy tenants (PLATFORM_STACK), and what does its log say of capacity_not_counted?
              </Empty>
            </Card>
          ) : (
            <Room counted={counted} />
          )
        }
      </Loaded>
    </Page>
  );
}

function Room({ counted: { data, tenants_left } }: { counted: Answer<typeof capacityRoutes.getCapacity> }) {
  const scarce = data.filter((one) => one.scarce);
  const oldest = data.map(({ counted_at }) => counted_at).toSorted()[0] ?? null;
  return (
    <>
      <div className="grid gap-4 md:grid-cols-2">
        <Card title="Room for tenants" about="With an AI gateway of the pool, each.">
          {tenants_left === null ? (
            <p className="text-quiet">Not all of it is counted yet.</p>
          ) : (
            <p>
              <span className="text-2xl font-semibold tabular-nums">{formatNumber(tenants_left)}</span> more
            </p>
          )}
        </Card>
        <Card title="Scarce" about="Four fifths or more of it are used.">
          {scarce.length === 0 ? (
            <p className="text-quiet">Nothing is.</p>
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
                Remove what nobody needs (npm run fleet -- doctor finds it), or have the vendor raise the limit and set
                ACCOUNT_LIMITS of the automation service.
              </p>
            </>
          )}
        </Card>
      </div>
      <Card
        title="All of it"
        about={
          <>
            Counted <Ago at={oldest} long />.
          </>
        }
      >
        <div className="grid gap-x-10 gap-y-4 md:grid-cols-2">
          {data.map(({ kind, used, most }) => (
            <Meter key={kind} label={capacityNames[kind]} value={used} most={most} format={capacityFormat(kind)} />
          ))}
        </div>
      </Card>
    </>
  );
}
