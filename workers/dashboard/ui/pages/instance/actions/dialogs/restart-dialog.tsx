import { instanceRoutes } from "#workers/contracts/api/tenants/instances.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { ConfirmDialog } from "#workers/dashboard/ui/kit/form/dialog.tsx";
import { toast } from "#workers/dashboard/ui/kit/toast/toast.ts";
import type { ActionDialogProps } from "../action.ts";

export default function RestartDialog({ instance: { id, client }, onClose }: ActionDialogProps) {
  const change = useChange(instanceRoutes.restartInstance, {
    also: ["instance health"],
    onDone: () => {
      toast({ title: `The gateway of ${client.name} restarts` });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title="Restart the gateway"
      about={`Whoever works with ${client.name} is cut off until it is ready again, mostly within a minute. Its state stays, and so does its container.`}
      action="Restart"
      busy={change.isPending}
      error={change.error}
      onSubmit={() => change.mutate({ params: { instance_id: id } })}
    />
  );
}
