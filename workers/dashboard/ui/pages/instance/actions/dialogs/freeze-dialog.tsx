import type { Instance } from "#workers/contracts/api/instances/instances.ts";
import { clientRoutes } from "#workers/contracts/api/tenants/clients.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { fieldFaults } from "#workers/dashboard/ui/api/faults.ts";
import { useViewer } from "#workers/dashboard/ui/api/session.ts";
import { FormDialog } from "#workers/dashboard/ui/kit/form/dialog.tsx";
import { useDraft } from "#workers/dashboard/ui/kit/form/draft.ts";
import { TextArea } from "#workers/dashboard/ui/kit/form/field.tsx";
import type { ActionDialogProps } from "../action.ts";
import { useResume } from "../use-resume.ts";

const EMPTY = { cause: "" };
const MAX_LENGTH = 500;

/** For operators, and for the client's own administrators. */
const TEXTS = {
  dashboard: {
    title: "Freeze instance",
    about:
      "The instance stops accepting traffic, open sessions end and its gateway stops. State and backups are kept, and you can download the backups. The client is still billed. To undo this, resume the instance.",
    readers: "Shown to operators and in the audit log.",
  },
  console: {
    title: "Freeze agent",
    about:
      "The agent stops, and answers nobody until an administrator resumes it on this page. Its data and backups are kept, and you can download the backups. You still pay for it.",
    readers: "Shown to your operator.",
  },
} as const;

export default function FreezeDialog({
  instance: { client },
  onClose,
}: Pick<ActionDialogProps, "onClose"> & { instance: Pick<Instance, "client"> }) {
  const { title, about, readers } = TEXTS[useViewer().tenant === null ? "dashboard" : "console"];
  const params = { client_id: client.id };
  const [{ cause }, set, close] = useDraft(`freeze.${client.id}`, EMPTY, onClose);
  const resume = useResume(client.name);
  const change = useChange(clientRoutes.freezeClient, {
    also: ["instances", "jobs"],
    success: () => ({
      title: `${client.name} frozen`,
      action: { name: "Undo", run: () => resume.mutate({ params }) },
    }),
    onDone: close,
  });
  return (
    <FormDialog
      onClose={close}
      title={title}
      about={about}
      action={title}
      change={change}
      onSubmit={() => change.mutate({ params, body: cause.trim() === "" ? {} : { cause: cause.trim() } })}
    >
      <TextArea
        label="Reason"
        optional
        about={readers}
        value={cause}
        maxLength={MAX_LENGTH}
        fault={fieldFaults(change.error).cause}
        onChange={(text) => set({ cause: text })}
      />
    </FormDialog>
  );
}
