import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { planLabel } from "#domain/plans/plan.ts";
import { billingRoutes } from "#workers/contracts/api/billing-routes.ts";
import { modelCallRoutes } from "#workers/contracts/api/model-calls.ts";
import { apiQuery } from "#workers/dashboard/ui/api/queries.ts";
import { useTenant } from "#workers/dashboard/ui/api/session.ts";
import { Button } from "#workers/dashboard/ui/kit/button.tsx";
import { capitalised } from "#workers/dashboard/ui/kit/format.ts";
import { Card, Facts, factEntry } from "#workers/dashboard/ui/kit/layout/card.tsx";
import { Loaded } from "#workers/dashboard/ui/kit/states.tsx";
import { TextLink } from "#workers/dashboard/ui/kit/text-link.tsx";
import type { TenantProps } from "../../tenant-page.tsx";
import { capText } from "../spend/cap-text.ts";
import { feeText, grantsBesideModels } from "./plan-texts.ts";

const PlanDialog = lazy(() => import("./plan-dialog.tsx"));

export function PlanCard({ client, instance }: TenantProps) {
  const { read_only } = useTenant();
  const [isOpen, setOpen] = useState(false);
  const query = useQuery(apiQuery(billingRoutes.listPlans, { params: { client_id: client.id } }));
  const { data: cap } = useQuery(apiQuery(modelCallRoutes.getSpendingCap, { params: { client_id: client.id } }));
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
                factEntry(
                  "Fees this month",
                  offer.month_micros === offer.monthly_micros
                    ? feeText(offer.month_micros)
                    : `${feeText(offer.month_micros)}, by the days with each plan`,
                ),
                factEntry("Includes", capitalised(grantsBesideModels(offer))),
                ...(cap === undefined
                  ? []
                  : [
                      factEntry(
                        "AI models",
                        <>
                          {capText(cap)} <TextLink to="/models">Set your own cap</TextLink>
                        </>,
                      ),
                    ]),
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
