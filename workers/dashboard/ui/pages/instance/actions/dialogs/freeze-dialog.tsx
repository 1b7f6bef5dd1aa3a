import { clientRoutes } from "#workers/contracts/api/tenants/clients.ts";
import type { Instance } from "#workers/contracts/api/tenants/instances.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { fieldFaults } from "#workers/dashboard/ui/api/faults.ts";
import { FormDialog } from "#workers/dashboard/ui/kit/form/dialog.tsx";
import { useDraft } from "#workers/dashboard/ui/kit/form/draft.ts";
import { TextArea } from "#workers/dashboard/ui/kit/form/field.tsx";
import { toast } from "#workers/dashboard/ui/kit/toast/toast.ts";
import type { ActionDialogProps } from "../action.ts";
import { useResume } from "../use-resume.ts";

const EMPTY = { cause: "" };
const MOST = 500;

export interface FreezeDialogProps extends Pick<ActionDialogProps, "onClose"> {
  instance: Pick<Instance, "client">;
}

/** Freezes an instance; the message of it has the way back. */
export default function FreezeDialog({ instance: { client }, onClose }: FreezeDialogProps) {
  const params = { client_id: client.id };
  const [{ cause }, set, forget] = useDraft(`freeze.${client.id}`, EMPTY);
  const close = () => {
    forget();
    onClose();
  };
  const resume = useResume(client.name);
  const change = useChange(clientRoutes.freezeClient, {
    also: ["instances", "jobs"],
    onDone: () => {
      toast({ title: `${client.name} is frozen`, action: { name: "Undo", run: () => resume.mutate({ params }) } });
      close();
    },
  });
  return (
    <FormDialog
      open
      onClose={close}
      title="Freeze it"
      about="It takes no traffic from now on, whoever uses it is cut off, and its gateway ends. Its state and its backups are kept, and can be downloaded. The client goes on to be billed."
      action="Freeze"
      busy={change.isPending}
      error={change.error}
      onSubmit={() => change.mutate({ params, body: cause.trim() === "" ? {} : { cause: cause.trim() } })}
    >
      <TextArea
        label="Why"
        optional
        about="For the audit, and for whoever looks."
        value={cause}
        maxLength={MOST}
        fault={fieldFaults(change.error).cause}
        onChange={(text) => set({ cause: text })}
      />
    </FormDialog>
  );
}
