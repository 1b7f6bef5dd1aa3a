import { instanceRoutes } from "#workers/contracts/api/instances/instances.ts";
import { clientRoutes } from "#workers/contracts/api/tenants/clients.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { useViewer } from "#workers/dashboard/ui/api/session.ts";
import { ConfirmDialog } from "#workers/dashboard/ui/kit/form/dialog.tsx";
import type { ActionDialogProps } from "../action.ts";

/** For operators, and for the client's own administrators. */
const RESTART = {
  dashboard: {
    title: "Restart gateway",
    success: "Restarting the gateway of",
    kept: "State and container are kept. Work in progress of the agents is interrupted.",
    until: "the gateway",
  },
  console: {
    title: "Restart agent",
    success: "Restarting",
    kept: "Its data is kept. What it works on now is interrupted.",
    until: "the agent",
  },
} as const;

export function RestartDialog({ instance: { id, client }, onClose }: ActionDialogProps) {
  const { title, success, kept, until } = RESTART[useViewer().tenant === null ? "dashboard" : "console"];
  const change = useChange(instanceRoutes.restartInstance, {
    also: ["instance health"],
    success: `${success} ${client.name}`,
    onDone: onClose,
  });
  return (
    <ConfirmDialog
      onClose={onClose}
      title={title}
      about={`Users of ${client.name} are disconnected until ${until} is ready again, usually within a minute. ${kept}`}
      action={title}
      change={change}
      onSubmit={() => change.mutate({ params: { instance_id: id } })}
    />
  );
}

export function ResumeDialog({ instance: { client }, onClose }: ActionDialogProps) {
  const change = useChange(clientRoutes.resumeClient, {
    also: ["instances", "jobs"],
    success: `${client.name} resumed`,
    onDone: onClose,
  });
  return (
    <ConfirmDialog
      onClose={onClose}
      title="Resume instance"
      about="The instance accepts traffic again and returns to its state before the freeze. The next request starts its gateway."
      action="Resume instance"
      change={change}
      onSubmit={() => change.mutate({ params: { client_id: client.id } })}
    />
  );
}

export function TokenDialog({ instance: { id, client, status }, onClose }: ActionDialogProps) {
  const change = useChange(instanceRoutes.rotateToken, {
    also: ["jobs"],
    success: () => ({ title: "Rotating the token", about: "The job below shows when the new token is valid." }),
    onDone: onClose,
  });
  return (
    <ConfirmDialog
      onClose={onClose}
      title="Rotate gateway token"
      about={`The Worker of ${client.name} is redeployed with a new token, and the current one becomes invalid. You cannot undo this.${status === "running" ? " The gateway restarts, which usually disconnects users for less than a minute." : ""}`}
      action="Rotate token"
      change={change}
      onSubmit={() => change.mutate({ params: { instance_id: id } })}
    />
  );
}
