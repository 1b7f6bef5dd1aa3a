import { WEBHOOK_KINDS } from "@tenantry/webhooks/kinds";
import { type Door, doorRoutes } from "#workers/contracts/api/tenants/doors.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { ConfirmDialog } from "#workers/dashboard/ui/kit/form/dialog.tsx";

interface DeleteDoorProps {
  door: Door;
  onClose: () => void;
  reload: () => Promise<unknown>;
}

export default function DeleteDoor({ door: { id, name, kind, version }, onClose, reload }: DeleteDoorProps) {
  const remove = useChange(doorRoutes.deleteDoor, { success: `Webhook ${name} deleted`, onDone: onClose });
  return (
    <ConfirmDialog
      onClose={onClose}
      title={`Delete webhook ${name}?`}
      about={`Its address and secrets are deleted, and what ${WEBHOOK_KINDS[kind].label} sends to it is refused at once. You cannot undo this: another webhook has another address. Messages that the inbox has already stored stay in the inbox.`}
      action="Delete webhook"
      danger
      typed={name}
      change={remove}
      onReload={reload}
      onSubmit={() => remove.mutate({ params: { id }, version })}
    />
  );
}
