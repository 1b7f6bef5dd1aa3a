import { clientRoutes } from "#workers/contracts/api/tenants/clients.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { ConfirmDialog } from "#workers/dashboard/ui/kit/form/dialog.tsx";
import { toast } from "#workers/dashboard/ui/kit/toast/toast.ts";
import type { ActionDialogProps } from "../action.ts";

export default function ResumeDialog({ instance: { client }, onClose }: ActionDialogProps) {
  const change = useChange(clientRoutes.resumeClient, {
    also: ["instances", "jobs"],
    onDone: () => {
      toast({ title: `${client.name} takes traffic again` });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title="Resume it"
      about="It takes traffic again, and goes on as what it was before it was frozen. The next request starts its gateway."
      action="Resume"
      busy={change.isPending}
      error={change.error}
      onSubmit={() => change.mutate({ params: { client_id: client.id } })}
    />
  );
}
