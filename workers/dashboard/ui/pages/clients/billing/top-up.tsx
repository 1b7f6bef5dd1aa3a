import { billingRoutes } from "#workers/contracts/api/billing-routes.ts";
import type { Client } from "#workers/contracts/api/tenants/clients.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { fieldFaults } from "#workers/dashboard/ui/api/faults.ts";
import { FormDialog } from "#workers/dashboard/ui/kit/form/dialog.tsx";
import { useDraft } from "#workers/dashboard/ui/kit/form/draft.ts";
import { TextField } from "#workers/dashboard/ui/kit/form/field.tsx";
import { formatMoney } from "#workers/dashboard/ui/kit/format.ts";
import { parseDollars } from "./dollars.ts";

const EMPTY = { amount: "", reference: "", note: "" };

export default function TopUp({ client, onClose }: { client: Client; onClose: () => void }) {
  const [draft, change, close] = useDraft(`top-up.${client.id}`, EMPTY, onClose);
  const amount = parseDollars(draft.amount);
  const book = useChange(billingRoutes.topUpCredit, {
    also: ["clients", "instances"],
    success: ({ balance_micros }, { body }) => ({
      title: `${formatMoney(body.amount_micros)} booked`,
      about: `The balance of ${client.name} is ${formatMoney(balance_micros)}.`,
    }),
    onDone: close,
  });
  const faults = fieldFaults(book.error);
  const isAmount = amount !== undefined && amount > 0;
  return (
    <FormDialog
      onClose={close}
      title={`Top up credit of ${client.name}`}
      about="Adds a received payment to the ledger. Entries cannot be changed or deleted. Each reference is booked once."
      action="Book payment"
      change={book}
      ready={isAmount && draft.reference.trim() !== ""}
      onSubmit={() =>
        book.mutate({
          params: { client_id: client.id },
          body: { amount_micros: amount ?? 0, reference: draft.reference.trim(), note: draft.note.trim() },
        })
      }
    >
      <TextField
        label="Amount in US dollars"
        inputMode="decimal"
        value={draft.amount}
        onChange={(next) => change({ amount: next })}
        fault={faults.amount_micros ?? (draft.amount === "" || isAmount ? undefined : "Enter an amount such as 50.00.")}
        required
      />
      <TextField
        label="Reference"
        about="Identifies the payment, such as an order number."
        value={draft.reference}
        onChange={(reference) => change({ reference })}
        fault={faults.reference}
        maxLength={200}
        required
      />
      <TextField
        label="Note"
        optional
        value={draft.note}
        onChange={(note) => change({ note })}
        fault={faults.note}
        maxLength={1000}
      />
    </FormDialog>
  );
}
