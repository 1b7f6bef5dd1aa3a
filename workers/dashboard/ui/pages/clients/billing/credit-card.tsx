import type { UseQueryResult } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import type { CreditPool } from "#workers/contracts/api/billing.ts";
import type { Client } from "#workers/contracts/api/tenants/clients.ts";
import { useViewer } from "#workers/dashboard/ui/api/session.ts";
import { Button } from "#workers/dashboard/ui/kit/button.tsx";
import { formatMoney } from "#workers/dashboard/ui/kit/format.ts";
import { Card, Facts, fact } from "#workers/dashboard/ui/kit/layout/card.tsx";
import { Empty, Loaded } from "#workers/dashboard/ui/kit/states.tsx";
import { Ago, Moment } from "#workers/dashboard/ui/kit/time.tsx";
import { CreditBadge, NEXT } from "./credit-badge.tsx";

// Loaded when they are first wanted.
const TopUp = lazy(() => import("./top-up.tsx"));
const CreditSettings = lazy(() => import("./credit-settings.tsx"));

/** A client's credit; platform roots book and set it. */
export function CreditCard({ client, query }: { client: Client; query: UseQueryResult<CreditPool | null, Error> }) {
  const { isRoot } = useViewer();
  const [opened, setOpened] = useState<"top-up" | "settings">();
  const credit = query.data;
  const close = () => setOpened(undefined);
  return (
    <Card
      title="Credit"
      actions={
        isRoot && credit !== undefined ? (
          <>
            {credit === null ? null : <Button onClick={() => setOpened("settings")}>Settings</Button>}
            <Button look="primary" onClick={() => setOpened("top-up")}>
              Top up
            </Button>
          </>
        ) : undefined
      }
    >
      <Loaded query={query}>
        {(known) =>
          known === null ? (
            <Empty title="No credit yet">
              Nothing was bought or used.{" "}
              {isRoot ? "Top it up with what the client paid." : "A platform root books what the client pays."}
            </Empty>
          ) : (
            <CreditFacts credit={known} />
          )
        }
      </Loaded>
      <Suspense>
        {opened === "top-up" ? <TopUp client={client} onClose={close} /> : null}
        {opened === "settings" && credit ? <CreditSettings client={client} credit={credit} onClose={close} /> : null}
      </Suspense>
    </Card>
  );
}

function CreditFacts({ credit }: { credit: CreditPool }) {
  const next = NEXT[credit.state];
  return (
    <>
      <p className="mb-3 flex flex-wrap items-center gap-3">
        <span className="text-2xl font-semibold tabular-nums">{formatMoney(credit.balance_micros)}</span>
        <CreditBadge state={credit.state} />
      </p>
      <Facts
        facts={[
          fact("Bought", formatMoney(credit.purchased_micros)),
          fact("Used", formatMoney(credit.consumed_micros)),
          fact("Since", <Ago at={credit.state_since} />),
          ...(next === undefined || credit.state_deadline === null
            ? []
            : [fact("Next", <Next what={next} at={credit.state_deadline} />)]),
          fact(
            "Paid",
            credit.prepaid ? "ahead: without credit the tenant stops" : "by invoice: the tenant goes on without credit",
          ),
          fact("Warned of", `below ${formatMoney(credit.warn_below_micros)}`),
          fact("Without credit", credit.delete_when_exhausted ? "deleted in the end" : "frozen and kept"),
        ]}
      />
    </>
  );
}

const Next = ({ what, at }: { what: string; at: string }) => (
  <>
    {what} on <Moment at={at} />, unless it is topped up
  </>
);
