import type { CreditPool } from "#workers/contracts/api/billing.ts";
import { billingRoutes } from "#workers/contracts/api/billing-routes.ts";
import type { Client } from "#workers/contracts/api/tenants/clients.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { fieldFaults } from "#workers/dashboard/ui/api/faults.ts";
import { FormDialog } from "#workers/dashboard/ui/kit/form/dialog.tsx";
import { CheckField, TextField } from "#workers/dashboard/ui/kit/form/field.tsx";
import { useRowDraft } from "#workers/dashboard/ui/kit/form/row-draft.ts";
import { toast } from "#workers/dashboard/ui/kit/toast/toast.ts";
import { dollars, parseDollars } from "./dollars.ts";

interface Values {
  prepaid: boolean;
  /** In US dollars, as it is typed. */
  warn: string;
  remove: boolean;
}

export interface CreditSettingsProps {
  client: Client;
  /** As it is now. */
  credit: CreditPool;
  onClose: () => void;
}

/** How a client's credit is dealt with. */
export default function CreditSettings({ client, credit, onClose }: CreditSettingsProps) {
  const draft = useRowDraft<Values>(`credit.${client.id}`, credit.version, billingRoutes.updateCredit.tag);
  const close = () => {
    draft.forget();
    onClose();
  };
  const save = useChange(billingRoutes.updateCredit, {
    also: ["clients", "instances"],
    onDone: () => {
      toast({ title: `The credit of ${client.name} is set` });
      close();
    },
  });
  const { prepaid = credit.prepaid, remove = credit.delete_when_exhausted } = draft.typed;
  const { warn = dollars(credit.warn_below_micros) } = draft.typed;
  const warnBelow = parseDollars(warn);
  const faults = fieldFaults(save.error);
  return (
    <FormDialog
      open
      onClose={close}
      title={`Credit of ${client.name}`}
      action="Save"
      busy={save.isPending}
      error={save.error}
      ready={warnBelow !== undefined}
      onReadAnew={() => void draft.readAnew().then(save.reset)}
      onSubmit={() =>
        save.mutate({
          params: { client_id: client.id },
          body: { prepaid, warn_below_micros: warnBelow ?? 0, delete_when_exhausted: remove },
          version: draft.version,
        })
      }
    >
      <CheckField
        label="Pays ahead"
        about="Without credit its tenant stops, after a time of grace. Otherwise it is billed by invoices alone."
        checked={prepaid}
        onChange={(next) => draft.change({ prepaid: next })}
      />
      <TextField
        label="Warn below, in US dollars"
        about="Its administrators get a mail then."
        inputMode="decimal"
        value={warn}
        onChange={(next) => draft.change({ warn: next })}
        fault={faults.warn_below_micros ?? (warnBelow === undefined ? "Write an amount such as 5.00." : undefined)}
        autoComplete="off"
      />
      <CheckField
        label="Delete it when credit stays used up"
        about="After grace, freezing and a final backup. Otherwise it stays frozen and is kept."
        checked={remove}
        onChange={(next) => draft.change({ remove: next })}
        disabled={!prepaid}
      />
    </FormDialog>
  );
}
