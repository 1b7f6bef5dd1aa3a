import { billingRoutes } from "#workers/contracts/api/billing-routes.ts";
import type { Client } from "#workers/contracts/api/tenants/clients.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { fieldFaults } from "#workers/dashboard/ui/api/faults.ts";
import { FormDialog } from "#workers/dashboard/ui/kit/form/dialog.tsx";
import { useDraft } from "#workers/dashboard/ui/kit/form/draft.ts";
import { TextField } from "#workers/dashboard/ui/kit/form/field.tsx";
import { formatMoney } from "#workers/dashboard/ui/kit/format.ts";
import { toast } from "#workers/dashboard/ui/kit/toast/toast.ts";
import { parseDollars } from "./dollars.ts";

const EMPTY = { amount: "", reference: "", note: "" };

/** Books a purchase, once by its reference. */
export default function TopUp({ client, onClose }: { client: Client; onClose: () => void }) {
  const [draft, change, forget] = useDraft(`top-up.${client.id}`, EMPTY);
  const close = () => {
    forget();
    onClose();
  };
  const amount = parseDollars(draft.amount);
  const book = useChange(billingRoutes.topUpCredit, {
    also: ["clients", "instances"],
    onDone: ({ balance_micros }, { body }) => {
      toast({
        title: `${formatMoney(body.amount_micros)} are booked`,
        about: `${client.name} has ${formatMoney(balance_micros)} now.`,
      });
      close();
    },
  });
  const faults = fieldFaults(book.error);
  const isAmount = amount !== undefined && amount > 0;
  return (
    <FormDialog
      open
      onClose={close}
      title={`Top up ${client.name}`}
      about="What is booked stays in the ledger; the same reference is booked once."
      action="Book it"
      busy={book.isPending}
      error={book.error}
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
        fault={faults.amount_micros ?? (draft.amount === "" || isAmount ? undefined : "Write an amount such as 50.00.")}
        autoComplete="off"
        required
      />
      <TextField
        label="Reference"
        about="Of the payment, such as an order's number."
        value={draft.reference}
        onChange={(reference) => change({ reference })}
        fault={faults.reference}
        maxLength={200}
        autoComplete="off"
        required
      />
      <TextField
        label="Note"
        optional
        value={draft.note}
        onChange={(note) => change({ note })}
        fault={faults.note}
        maxLength={1000}
        autoComplete="off"
      />
    </FormDialog>
  );
}
