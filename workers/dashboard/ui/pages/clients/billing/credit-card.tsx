import type { UseQueryResult } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import type { CreditState } from "#domain/billing/credit-state.ts";
import type { CreditPool } from "#workers/contracts/api/billing.ts";
import type { Client } from "#workers/contracts/api/tenants/clients.ts";
import { useViewer } from "#workers/dashboard/ui/api/session.ts";
import { Badge, type Tone } from "#workers/dashboard/ui/kit/badge.tsx";
import { Button } from "#workers/dashboard/ui/kit/button.tsx";
import { formatMoney } from "#workers/dashboard/ui/kit/format.ts";
import { Card, Facts, factEntry } from "#workers/dashboard/ui/kit/layout/card.tsx";
import { Empty, Loaded } from "#workers/dashboard/ui/kit/states.tsx";
import { Ago, Moment } from "#workers/dashboard/ui/kit/time.tsx";

/** What happens at the deadline of a state, unless credit is bought. */
const NEXT: Readonly<Partial<Record<CreditState, string>>> = {
  grace: "Freeze",
  frozen: "Final backup",
  final_backup: "Deletion due",
  deletion_due: "Deletion",
};

const TopUp = lazy(() => import("./top-up.tsx"));
const CreditSettings = lazy(() => import("./credit-settings.tsx"));

export function CreditCard({ client, query }: { client: Client; query: UseQueryResult<CreditPool | null, Error> }) {
  const { isRoot, tenant } = useViewer();
  const [opened, setOpened] = useState<"top-up" | "settings">();
  const credit = query.data;
  const close = () => setOpened(undefined);
  return (
    <Card
      title="Credit"
      actions={
        isRoot && credit !== undefined ? (
          <>
            {credit === null ? null : <Button onClick={() => setOpened("settings")}>Edit credit settings</Button>}
            <Button variant="primary" onClick={() => setOpened("top-up")}>
              Top up credit
            </Button>
          </>
        ) : undefined
      }
    >
      <Loaded query={query}>
        {(known) =>
          known === null ? (
            <Empty title="No credit yet">
              {isRoot
                ? "Top up the credit when the client has paid."
                : tenant === null
                  ? "A platform root tops up the credit when the client has paid."
                  : "Your operator tops up the credit when you have paid."}
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
        <span className="text-2xl font-semibold tabular-nums">{balanceText(credit.balance_micros)}</span>
        <CreditBadge credit={credit} />
      </p>
      <Facts
        facts={[
          factEntry("Purchased", formatMoney(credit.purchased_micros)),
          factEntry("Used", formatMoney(credit.consumed_micros)),
          ...(credit.balance_micros < 0 ? [factEntry("Used without credit", formatMoney(-credit.balance_micros))] : []),
          factEntry("State since", <Ago at={credit.state_since} />),
          ...(next === undefined || credit.state_deadline === null
            ? []
            : [
                factEntry(
                  "Next",
                  <>
                    {next} on <Moment at={credit.state_deadline} />, unless the credit is topped up
                  </>,
                ),
              ]),
          factEntry(
            "Payment",
            credit.prepaid
              ? "Prepaid: the agent stops without credit"
              : "By invoice: the agent also runs without credit",
          ),
          ...(credit.prepaid
            ? [
                factEntry("Warning", `Below ${formatMoney(credit.warn_below_micros)}`),
                factEntry(
                  "Without credit",
                  credit.delete_when_exhausted ? "Deleted after the final backup" : "Frozen and kept",
                ),
              ]
            : []),
        ]}
      />
    </>
  );
}

const BY_INVOICE = ["info", "Paid by invoice"] as const;
const STATES: Readonly<Record<CreditState, readonly [tone: Tone, name: string]>> = {
  ok: ["good", "In credit"],
  warn: ["busy", "Running low"],
  grace: ["busy", "Used up, grace period"],
  frozen: ["info", "Used up, frozen"],
  final_backup: ["bad", "Used up, final backup taken"],
  deletion_due: ["bad", "Used up, deletion due"],
};

/** A client that pays by invoice can use more than it purchased. */
const balanceText = (micros: number): string => (micros < 0 ? "No credit" : `${formatMoney(micros)} credit`);

function CreditBadge({ credit: { state, balance_micros } }: { credit: CreditPool }) {
  const [tone, name] = state === "ok" && balance_micros < 0 ? BY_INVOICE : STATES[state];
  return <Badge tone={tone}>{name}</Badge>;
}
