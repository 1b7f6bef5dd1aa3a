import type { CreditPool } from "#workers/contracts/api/billing.ts";
import { billingRoutes } from "#workers/contracts/api/billing-routes.ts";
import type { Client } from "#workers/contracts/api/tenants/clients.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { fieldFaults } from "#workers/dashboard/ui/api/faults.ts";
import { FormDialog } from "#workers/dashboard/ui/kit/form/dialog.tsx";
import { CheckField, TextField } from "#workers/dashboard/ui/kit/form/field.tsx";
import { useRowDraft } from "#workers/dashboard/ui/kit/form/row-draft.ts";
import { formatDollars, parseDollars } from "./dollars.ts";

interface Values {
  prepaid: boolean;
  warn: string;
  remove: boolean;
}

interface CreditSettingsProps {
  client: Client;
  credit: CreditPool;
  onClose: () => void;
}

export default function CreditSettings({ client, credit, onClose }: CreditSettingsProps) {
  const draft = useRowDraft<Values>(`credit.${client.id}`, credit.version, billingRoutes.updateCredit.tag, onClose);
  const save = useChange(billingRoutes.updateCredit, {
    also: ["clients", "instances"],
    success: `Credit settings of ${client.name} saved`,
    onDone: draft.discard,
  });
  const { prepaid = credit.prepaid, remove = credit.delete_when_exhausted } = draft.edits;
  const { warn = formatDollars(credit.warn_below_micros) } = draft.edits;
  const warnBelow = parseDollars(warn);
  const faults = fieldFaults(save.error);
  return (
    <FormDialog
      onClose={draft.discard}
      title={`Credit settings of ${client.name}`}
      action="Save settings"
      change={save}
      ready={warnBelow !== undefined}
      onReload={draft.reload}
      onSubmit={() =>
        save.mutate({
          params: { client_id: client.id },
          body: { prepaid, warn_below_micros: warnBelow ?? 0, delete_when_exhausted: remove },
          version: draft.version,
        })
      }
    >
      <CheckField
        label="Prepaid"
        about="Without credit, the tenant stops after a grace period. Otherwise the client pays by invoice only."
        checked={prepaid}
        onChange={(next) => draft.change({ prepaid: next })}
      />
      <TextField
        label="Warning threshold in US dollars"
        about="Below it, the client's administrators receive a mail."
        inputMode="decimal"
        value={warn}
        onChange={(next) => draft.change({ warn: next })}
        fault={faults.warn_below_micros ?? (warnBelow === undefined ? "Enter an amount such as 5.00." : undefined)}
      />
      <CheckField
        label="Delete the client when its credit stays used up"
        about="After the grace period, the freeze and a final backup. Otherwise the client stays frozen."
        checked={remove}
        onChange={(next) => draft.change({ remove: next })}
        disabled={!prepaid}
      />
    </FormDialog>
  );
}
