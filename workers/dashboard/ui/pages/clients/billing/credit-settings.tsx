import type { CreditPool } from "../../../../../contracts/api/billing.ts";
import { billingRoutes } from "../../../../../contracts/api/billing-routes.ts";
import type { Client } from "../../../../../contracts/api/clients.ts";
import { useChange } from "../../../api/change.ts";
import { fieldFaults } from "../../../api/faults.ts";
import { FormDialog } from "../../../kit/dialog.tsx";
import { useDraft } from "../../../kit/draft.ts";
import { CheckField, TextField } from "../../../kit/field.tsx";
import { toast } from "../../../kit/toast.ts";
import { dollars, parseDollars } from "./dollars.ts";

interface Draft {
  prepaid?: boolean;
  warn?: string;
  remove?: boolean;
  /** What was there when typing began. */
  version?: number;
}
const NOTHING: Draft = {};

export interface CreditSettingsProps {
  client: Client;
  /** As it is now. */
  credit: CreditPool;
  onClose: () => void;
  readAnew: () => Promise<CreditPool | undefined>;
}

/** How a client's credit is dealt with. */
export default function CreditSettings({ client, credit, onClose, readAnew }: CreditSettingsProps) {
  const [draft, setDraft, forget] = useDraft(`credit.${client.id}`, NOTHING);
  const save = useChange(billingRoutes.updateCredit, {
    also: ["clients", "instances"],
    onDone: () => {
      forget();
      toast({ title: `The credit of ${client.name} is set` });
      onClose();
    },
  });
  const change = (part: Draft) => setDraft({ version: credit.version, ...draft, ...part });
  const prepaid = draft.prepaid ?? credit.prepaid;
  const warn = draft.warn ?? dollars(credit.warn_below_micros);
  const remove = draft.remove ?? credit.delete_when_exhausted;
  const warnBelow = parseDollars(warn);
  const faults = fieldFaults(save.error);
  const again = async () => {
    const latest = await readAnew();
    if (latest !== undefined) setDraft({ version: latest.version });
    save.reset();
  };
  return (
    <FormDialog
      open
      onClose={onClose}
      title={`Credit of ${client.name}`}
      action="Save"
      busy={save.isPending}
      error={save.error}
      ready={warnBelow !== undefined}
      onReadAnew={() => void again()}
      onSubmit={() =>
        save.mutate({
          params: { client_id: client.id },
          body: { prepaid, warn_below_micros: warnBelow ?? 0, delete_when_exhausted: remove },
          version: draft.version ?? credit.version,
        })
      }
    >
      <CheckField
        label="Pays ahead"
        about="Without credit its tenant stops, after a time of grace. Otherwise it is billed by invoices alone."
        checked={prepaid}
        onChange={(next) => change({ prepaid: next })}
      />
      <TextField
        label="Warn below, in US dollars"
        about="Its administrators get a mail then."
        inputMode="decimal"
        value={warn}
        onChange={(next) => change({ warn: next })}
        fault={faults.warn_below_micros ?? (warnBelow === undefined ? "Write an amount such as 5.00." : undefined)}
        autoComplete="off"
      />
      <CheckField
        label="Delete it when credit stays used up"
        about="After grace, freezing and a final backup. Otherwise it stays frozen and is kept."
        checked={remove}
        onChange={(next) => change({ remove: next })}
        disabled={!prepaid}
      />
    </FormDialog>
  );
}
