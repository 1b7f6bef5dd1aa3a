import { instanceRoutes } from "#workers/contracts/api/instances/instances.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { ConfirmDialog } from "#workers/dashboard/ui/kit/form/dialog.tsx";
import type { ActionDialogProps } from "#workers/dashboard/ui/pages/instance/actions/action.ts";

export default function SleepDialog({ instance: { id, client }, onClose }: ActionDialogProps) {
  const change = useChange(instanceRoutes.sleepInstance, {
    also: ["instance health"],
    success: ({ state }) => (state === "asleep" ? `${client.name} sleeps` : `${client.name} goes to sleep`),
    onDone: onClose,
  });
  return (
    <ConfirmDialog
      onClose={onClose}
      title="Put the agent to sleep?"
      about="Its data is backed up, and its users are disconnected. To wake it, use Wake or open the agent. Messages wake it too, but not those of messengers that keep a connection, such as Discord."
      action="Sleep now"
      change={change}
      onSubmit={() => change.mutate({ params: { instance_id: id }, body: {} })}
    />
  );
}
