import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { planLabel } from "#domain/plans/plan.ts";
import { billingRoutes } from "#workers/contracts/api/billing-routes.ts";
import { apiQuery } from "#workers/dashboard/ui/api/queries.ts";
import { useTenant } from "#workers/dashboard/ui/api/session.ts";
import { Button } from "#workers/dashboard/ui/kit/button.tsx";
import { Card, Facts, factEntry } from "#workers/dashboard/ui/kit/layout/card.tsx";
import { Loaded } from "#workers/dashboard/ui/kit/states.tsx";
import type { TenantProps } from "../../tenant-page.tsx";
import { feeText, planGrants } from "./plan-texts.ts";

const PlanDialog = lazy(() => import("./plan-dialog.tsx"));

export function PlanCard({ client, instance }: TenantProps) {
  const { read_only } = useTenant();
  const [isOpen, setOpen] = useState(false);
  const query = useQuery(apiQuery(billingRoutes.listPlans, { params: { client_id: client.id } }));
  const refusal = query.data?.refusal ?? null;
  const isChangeable = query.data !== undefined && refusal === null && !read_only && instance.job === null;
  return (
    <Card
      title="Plan"
      about={refusal ?? undefined}
      actions={isChangeable ? <Button onClick={() => setOpen(true)}>Change plan</Button> : undefined}
    >
      <Loaded query={query}>
        {(offers) => {
          const offer = offers.data.find(({ plan }) => plan === offers.current);
          if (offer === undefined) return null;
          return (
            <Facts
              facts={[
                factEntry("Plan", planLabel(offer.plan)),
                factEntry("Monthly fee", feeText(offer.monthly_micros)),
                factEntry("Fees this month", feeText(offer.month_micros)),
                factEntry("Includes", planGrants(offer)),
              ]}
            />
          );
        }}
      </Loaded>
      {isOpen && query.data !== undefined ? (
        <Suspense>
          <PlanDialog instance={instance} offers={query.data} onClose={() => setOpen(false)} onReload={query.refetch} />
        </Suspense>
      ) : null}
    </Card>
  );
}
