import { Eye, KeyRound, Link, Power, Trash2 } from "lucide-react";
import { type Door, doorRoutes } from "#workers/contracts/api/tenants/doors.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { ActionsMenu } from "#workers/dashboard/ui/kit/menu/menu.tsx";

export type DoorDialog = "details" | "key" | "secrets" | "delete";

interface DoorMenuProps {
  door: Door;
  /** Whether it belongs to a channel, and is deleted with it. */
  isOfChannel: boolean;
  onOpen: (dialog: DoorDialog) => void;
}

export function DoorMenu({ door: { id, name, state, version, managed_by }, isOfChannel, onOpen }: DoorMenuProps) {
  const isActive = state === "active";
  const params = { id };
  const undo = useChange(doorRoutes.updateDoor, { failure: `Failed to undo the change of ${name}` });
  const change = useChange(doorRoutes.updateDoor, {
    success: (door) => ({
      title: `Webhook ${name} ${isActive ? "disabled" : "enabled"}`,
      ...(isActive && { about: "What arrives is refused. Its address and secrets are kept." }),
      action: { name: "Undo", run: () => undo.mutate({ params, body: { state }, version: door.version }) },
    }),
    failure: `Failed to ${isActive ? "disable" : "enable"} ${name}`,
  });
  return (
    <ActionsMenu
      of={name}
      busy={change.isPending || undo.isPending}
      groups={[
        [{ name: "Show details", icon: <Eye aria-hidden="true" />, onSelect: () => onOpen("details") }],
        ...(managed_by === "git"
          ? []
          : [
              [
                { name: "Rotate address", icon: <Link aria-hidden="true" />, onSelect: () => onOpen("key") },
                { name: "Rotate secrets", icon: <KeyRound aria-hidden="true" />, onSelect: () => onOpen("secrets") },
                {
                  name: isActive ? "Disable webhook" : "Enable webhook",
                  icon: <Power aria-hidden="true" />,
                  onSelect: () => change.mutate({ params, body: { state: isActive ? "disabled" : "active" }, version }),
                },
              ],
              isOfChannel
                ? []
                : [
                    {
                      name: "Delete webhook",
                      icon: <Trash2 aria-hidden="true" />,
                      danger: true,
                      onSelect: () => onOpen("delete"),
                    },
                  ],
            ]),
      ]}
    />
  );
}
