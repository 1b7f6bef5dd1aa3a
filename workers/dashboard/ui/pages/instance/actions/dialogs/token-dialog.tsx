import { instanceRoutes } from "#workers/contracts/api/tenants/instances.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { ConfirmDialog } from "#workers/dashboard/ui/kit/form/dialog.tsx";
import { toast } from "#workers/dashboard/ui/kit/toast/toast.ts";
import type { ActionDialogProps } from "../action.ts";

export default function TokenDialog({ instance: { id, client, status }, onClose }: ActionDialogProps) {
  const change = useChange(instanceRoutes.rotateToken, {
    also: ["jobs"],
    onDone: () => {
      toast({ title: "Another token is being made", about: "The operation below tells when it holds." });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title="Rotate the gateway's token"
      about={`The Worker of ${client.name} is deployed with another token, and the one of before holds no longer.${status === "running" ? " The gateway restarts: whoever uses it is cut off, mostly for less than a minute." : ""}`}
      action="Rotate the token"
      busy={change.isPending}
      error={change.error}
      onSubmit={() => change.mutate({ params: { instance_id: id } })}
    />
  );
}
