import { useQuery } from "@tanstack/react-query";
import { METRIC_NAMES, usageMetrics } from "#domain/billing/usage-metric.ts";
import { planLabel } from "#domain/plans/plan.ts";
import type { Invoice } from "#workers/contracts/api/billing.ts";
import { billingRoutes } from "#workers/contracts/api/billing-routes.ts";
import { apiQuery } from "#workers/dashboard/ui/api/queries.ts";
import { formatMoney, formatMonth } from "#workers/dashboard/ui/kit/format.ts";
import { Card } from "#workers/dashboard/ui/kit/layout/card.tsx";
import { Loading, QueryFault } from "#workers/dashboard/ui/kit/states.tsx";
import { TextLink } from "#workers/dashboard/ui/kit/text-link.tsx";
import { type Change, changeInWords, largestChange } from "../spend/change-in-words.ts";
import { ChangeTable } from "../spend/change-table.tsx";
import { InvoiceCause, monthSearch } from "./invoice-cause.tsx";

/** Why the newest invoice differs from the one before. */
export function InvoiceChange({ clientId }: { clientId: string }) {
  const list = useQuery(apiQuery(billingRoutes.listInvoices, { params: { client_id: clientId }, query: {} }));
  const [after, before] = (list.data?.data ?? []).filter(({ status }) => status !== "void");
  if (after === undefined || before === undefined) return null;
  return <Compared clientId={clientId} before={before.id} after={after.id} />;
}

const useInvoice = (id: string) => useQuery(apiQuery(billingRoutes.getInvoice, { params: { invoice_id: id } }));

interface ComparedProps {
  clientId: string;
  before: string;
  after: string;
}

function Compared({ clientId, before, after }: ComparedProps) {
  const [former, latter] = [useInvoice(before), useInvoice(after)];
  return (
    <Card title="Why the last invoice changed" flush>
      {former.data === undefined || latter.data === undefined ? (
        former.error === null && latter.error === null ? (
          <Loading padded />
        ) : (
          <QueryFault query={former.error === null ? latter : former} />
        )
      ) : (
        <Difference clientId={clientId} before={former.data} after={latter.data} />
      )}
    </Card>
  );
}

function Difference({ clientId, before, after }: { clientId: string; before: Invoice; after: Invoice }) {
  const changes = changesOf(before, after);
  const largest = largestChange(changes);
  const total = { before: before.total_micros, after: after.total_micros };
  const [former, latter] = [formatMonth(before.period_start), formatMonth(after.period_start)];
  return (
    <>
      <p className="px-4 pb-3">
        {latter}: {formatMoney(total.after)}. {former}: {formatMoney(total.before)}. That is {changeInWords(total)}.{" "}
        {largest === undefined ? null : (
          <strong>
            The largest change is {largest.name}: {formatMoney(largest.after)} after {formatMoney(largest.before)}.
          </strong>
        )}
      </p>
      {largest?.metric === undefined || largest.after <= largest.before ? null : (
        <InvoiceCause clientId={clientId} metric={largest.metric} before={before} after={after} />
      )}
      <p className="px-4 pb-3">
        <TextLink to="/models" search={monthSearch(after.period_start)}>
          Show {latter} by day, model and person
        </TextLink>
      </p>
      <ChangeTable label="Invoices compared" before={former} after={latter} changes={changes} />
    </>
  );
}

function changesOf(before: Invoice, after: Invoice) {
  const [former, latter] = [amountsOf(before), amountsOf(after)];
  return [...new Set([...latter.keys(), ...former.keys()])].map((name) => ({
    ...({ name, before: former.get(name) ?? 0, after: latter.get(name) ?? 0 } satisfies Change),
    metric: usageMetrics.find((metric) => METRIC_NAMES[metric] === name),
    format: formatMoney,
  }));
}

function amountsOf({ lines }: Invoice): Map<string, number> {
  const amounts = new Map<string, number>();
  for (const line of lines) amounts.set(nameOf(line), (amounts.get(nameOf(line)) ?? 0) + line.amount_micros);
  return amounts;
}

const nameOf = ({ kind, metric, plan, description }: Invoice["lines"][number]): string =>
  metric !== null
    ? METRIC_NAMES[metric]
    : kind === "flat_fee" && plan !== null
      ? `Fee of plan ${planLabel(plan)}`
      : description;
