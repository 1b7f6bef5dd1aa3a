import { useQuery } from "@tanstack/react-query";
import { METRIC_NAMES } from "#domain/billing/usage-metric.ts";
import { planLabel } from "#domain/plans/plan.ts";
import type { Invoice } from "#workers/contracts/api/billing.ts";
import { billingRoutes } from "#workers/contracts/api/billing-routes.ts";
import { addressOf } from "#workers/dashboard/ui/api/ask.ts";
import { apiQuery } from "#workers/dashboard/ui/api/queries.ts";
import { ButtonAnchor } from "#workers/dashboard/ui/kit/button.tsx";
import { Dialog } from "#workers/dashboard/ui/kit/form/dialog.tsx";
import { formatMoney, formatMonth, formatNumber } from "#workers/dashboard/ui/kit/format.ts";
import { Loaded } from "#workers/dashboard/ui/kit/states.tsx";
import { Moment } from "#workers/dashboard/ui/kit/time.tsx";
import { formatUsage } from "../usage/metric.ts";
import { InvoiceBadge } from "./invoices.tsx";

const percents = new Intl.NumberFormat(undefined, { style: "percent", maximumFractionDigits: 2 });
type Line = Invoice["lines"][number];

export default function InvoiceDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const query = useQuery(apiQuery(billingRoutes.getInvoice, { params: { invoice_id: id } }));
  const { data } = query;
  return (
    <Dialog
      onClose={onClose}
      wide
      title={data === undefined ? "Invoice" : `Invoice of ${formatMonth(data.period_start)}`}
      about={data === undefined ? undefined : <About invoice={data} />}
    >
      <Loaded query={query}>{(known) => <Lines invoice={known} />}</Loaded>
      <p className="mt-4">
        <ButtonAnchor download href={addressOf(billingRoutes.getInvoicePdf, { params: { invoice_id: id } })}>
          Download PDF
        </ButtonAnchor>
      </p>
    </Dialog>
  );
}

const About = ({ invoice: { status, issued_at } }: { invoice: Invoice }) => (
  <span className="flex flex-wrap items-center gap-2">
    <InvoiceBadge status={status} />
    {issued_at === null ? (
      "Not issued yet"
    ) : (
      <span>
        Issued <Moment at={issued_at} />
      </span>
    )}
    {status === "issued" ? "Payment is arranged outside of this platform." : null}
  </span>
);

const Lines = ({ invoice: { lines, total_micros } }: { invoice: Invoice }) => (
  <div className="overflow-x-auto">
    <table aria-label="Invoice items" className="w-full text-[0.8125rem]">
      <thead>
        <tr className="border-b border-line text-left text-xs text-quiet">
          <th className="py-2 pr-3 font-medium">Item</th>
          <th className="hidden py-2 pr-3 text-right font-medium sm:table-cell">Quantity</th>
          <th className="hidden py-2 pr-3 text-right font-medium sm:table-cell">Price</th>
          <th className="py-2 text-right font-medium">Amount</th>
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => (
          <tr key={`${line.kind} ${line.description} ${line.unit_price_micros}`} className="border-b border-line">
            <td className="py-2 pr-3">
              {nameOf(line)}
              <span className="block text-xs text-quiet empty:hidden sm:hidden">
                {[quantityOf(line), priceOf(line)].filter(Boolean).join(" at ")}
              </span>
            </td>
            <td className="hidden py-2 pr-3 text-right whitespace-nowrap tabular-nums sm:table-cell">
              {quantityOf(line)}
            </td>
            <td className="hidden py-2 pr-3 text-right whitespace-nowrap tabular-nums sm:table-cell">
              {priceOf(line)}
            </td>
            <td className="py-2 text-right tabular-nums">{formatMoney(line.amount_micros)}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr className="font-semibold">
          <th scope="row" className="py-2 pr-3 text-left">
            Total in US dollars
          </th>
          <td className="hidden sm:table-cell" colSpan={2} />
          <td className="py-2 text-right tabular-nums">{formatMoney(total_micros)}</td>
        </tr>
      </tfoot>
    </table>
  </div>
);

const nameOf = ({ metric, plan, description }: Line): string =>
  metric === null ? description : `${METRIC_NAMES[metric]}${plan === null ? "" : `, plan ${planLabel(plan)}`}`;

function quantityOf({ kind, metric, quantity }: Line): string {
  if (metric !== null) return formatUsage(metric, quantity);
  return kind === "flat_fee" ? `${formatNumber(quantity)} days` : "";
}

function priceOf({ kind, metric, unit_price_micros, per_units }: Line): string {
  // The unit of `ai_spend` is money, so its price is a ratio.
  if (metric === "ai_spend")
    return unit_price_micros === per_units ? "At cost" : percents.format(unit_price_micros / per_units);
  if (metric !== null) return `${formatMoney(unit_price_micros)} per ${formatUsage(metric, per_units)}`;
  return kind === "flat_fee" ? `${formatMoney(unit_price_micros)} per month` : "";
}
