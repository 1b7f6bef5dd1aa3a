import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { modelCallRoutes } from "#workers/contracts/api/model-calls.ts";
import { apiQuery } from "#workers/dashboard/ui/api/queries.ts";
import { Button } from "#workers/dashboard/ui/kit/button.tsx";
import { Meter } from "#workers/dashboard/ui/kit/chart/meter.tsx";
import { formatMoney } from "#workers/dashboard/ui/kit/format.ts";
import { Card } from "#workers/dashboard/ui/kit/layout/card.tsx";
import { Loaded, Loading } from "#workers/dashboard/ui/kit/states.tsx";
import { capText, limitOf } from "./cap-text.ts";

const CapDialog = lazy(() => import("./cap-dialog.tsx"));

export function CapCard({ clientId }: { clientId: string }) {
  const [isOpen, setOpen] = useState(false);
  const query = useQuery(apiQuery(modelCallRoutes.getSpendingCap, { params: { client_id: clientId } }));
  return (
    <Card
      title="Spending cap"
      about="Your plan has a limit, and you can set a lower cap. The lower one applies: at it, calls of models are refused. Calls with your own provider keys count only for the plan's limit."
      actions={
        <Button disabled={query.data === undefined} onClick={() => setOpen(true)}>
          Change cap
        </Button>
      }
    >
      <Loaded query={query} loading={<Loading lines={2} />}>
        {(cap) => {
          const { spent_micros } = cap;
          const limit = limitOf(cap);
          return (
            <>
              {limit === null ? (
                <p>Spent in 30 days: {formatMoney(spent_micros)}.</p>
              ) : (
                <Meter label="Spent in 30 days" value={spent_micros} max={limit} format={formatMoney} />
              )}
              <p className="mt-2 text-quiet">{capText(cap)} Today's spending is up to an hour behind.</p>
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
