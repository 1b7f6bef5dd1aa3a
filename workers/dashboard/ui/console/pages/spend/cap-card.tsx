import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { modelCallRoutes } from "#workers/contracts/api/model-calls.ts";
import { apiQuery } from "#workers/dashboard/ui/api/queries.ts";
import { Button } from "#workers/dashboard/ui/kit/button.tsx";
import { Meter } from "#workers/dashboard/ui/kit/chart/meter.tsx";
import { formatMoney } from "#workers/dashboard/ui/kit/format.ts";
import { Card } from "#workers/dashboard/ui/kit/layout/card.tsx";
import { Loaded, Loading } from "#workers/dashboard/ui/kit/states.tsx";

const CapDialog = lazy(() => import("./cap-dialog.tsx"));

export function CapCard({ clientId }: { clientId: string }) {
  const [isOpen, setOpen] = useState(false);
  const query = useQuery(apiQuery(modelCallRoutes.getSpendingCap, { params: { client_id: clientId } }));
  return (
    <Card
      title="Spending cap"
      about="For any 30 days. At the cap, calls of models are refused, except with your own provider keys."
      actions={
        <Button disabled={query.data === undefined} onClick={() => setOpen(true)}>
          Change cap
        </Button>
      }
    >
      <Loaded query={query} loading={<Loading lines={2} />}>
        {(cap) => {
          const { cap_micros, maximum_micros, spent_micros } = cap;
          const limit = Math.min(cap_micros ?? Number.POSITIVE_INFINITY, maximum_micros ?? Number.POSITIVE_INFINITY);
          return (
            <>
              {limit === Number.POSITIVE_INFINITY ? (
                <p>Spent in 30 days: {formatMoney(spent_micros)}. No cap is set.</p>
              ) : (
                <Meter label="Spent in 30 days" value={spent_micros} max={limit} format={formatMoney} />
              )}
              <p className="mt-2 text-quiet">
                {maximum_micros === null
                  ? "Your plan permits any amount."
                  : `Your plan permits at most ${formatMoney(maximum_micros)}.`}{" "}
                Today's spending is up to an hour behind.
              </p>
              {isOpen ? (
                <Suspense>
                  <CapDialog cap={cap} onClose={() => setOpen(false)} onReload={() => query.refetch()} />
                </Suspense>
              ) : null}
            </>
          );
        }}
      </Loaded>
    </Card>
  );
}
