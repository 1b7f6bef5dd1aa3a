import { useState } from "react";
import { modelCallRoutes, type SpendingCap } from "#workers/contracts/api/model-calls.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { fieldFaults } from "#workers/dashboard/ui/api/faults.ts";
import { FormDialog } from "#workers/dashboard/ui/kit/form/dialog.tsx";
import { TextField } from "#workers/dashboard/ui/kit/form/field.tsx";
import { formatMoney } from "#workers/dashboard/ui/kit/format.ts";

const MICROS = 1_000_000;

interface CapDialogProps {
  cap: SpendingCap;
  onClose: () => void;
  /** Refetches the cap. */
  onReload: () => Promise<unknown>;
}

export default function CapDialog({ cap, onClose, onReload }: CapDialogProps) {
  const { client_id, cap_micros, maximum_micros: maximum, version } = cap;
  const [text, setText] = useState(cap_micros === null ? "" : String(cap_micros / MICROS));
  const save = useChange(modelCallRoutes.setSpendingCap, { success: "Spending cap saved", onDone: onClose });
  const typed = text.trim();
  const micros =
    typed === "" ? null : /^\d{1,9}([.]\d{1,6})?$/.test(typed) ? Math.round(Number(typed) * MICROS) : undefined;
  const fault =
    micros === undefined
      ? "Use an amount in US dollars, such as 80 or 12.50."
      : micros !== null && maximum !== null && micros > maximum
        ? `Your plan permits at most ${formatMoney(maximum)}.`
        : fieldFaults(save.error).cap_micros;
  return (
    <FormDialog
      onClose={onClose}
      title="Change the spending cap"
      about="The cap holds for any 30 days, and within seconds. 0 refuses all calls of models."
      action="Save cap"
      change={save}
      onReload={onReload}
      ready={micros !== undefined && fault === undefined}
      onSubmit={() => {
        if (micros !== undefined) save.mutate({ params: { client_id }, body: { cap_micros: micros }, version });
      }}
    >
      <TextField
        label="Cap in US dollars"
        optional
        inputMode="decimal"
        about={
          maximum === null
            ? "Without an amount there is no cap."
            : `At most the limit of your plan, ${formatMoney(maximum)}, which applies without an amount.`
        }
        value={text}
        onChange={setText}
        fault={fault}
      />
    </FormDialog>
  );
}
