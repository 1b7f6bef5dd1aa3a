import { useQueryClient } from "@tanstack/react-query";
import { CircleStop, Pause, Play, Undo2 } from "lucide-react";
import { useState } from "react";
import type { RolloutStatus } from "#domain/rollouts/progress.ts";
import { type Rollout, rolloutRoutes } from "#workers/contracts/api/tenants/rollouts.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { Button } from "#workers/dashboard/ui/kit/button.tsx";
import { ConfirmDialog } from "#workers/dashboard/ui/kit/form/dialog.tsx";

type RolloutAction = "pause" | "resume" | "stop" | "rollBack";

interface ActionText {
  button: string;
  title: string;
  about: string;
  done: string;
  from: readonly RolloutStatus[];
  icon: typeof Pause;
  danger: boolean;
}

const ACTIONS: Readonly<Record<RolloutAction, ActionText>> = {
  pause: {
    button: "Pause rollout",
    title: "Pause the rollout?",
    about: "Changes in progress finish. No other tenant is changed until you resume the rollout.",
    done: "Rollout paused",
    from: ["running"],
    icon: Pause,
    danger: false,
  },
  resume: {
    button: "Resume rollout",
    title: "Resume the rollout?",
    about: "The rollout continues with the current wave.",
    done: "Rollout resumed",
    from: ["paused"],
    icon: Play,
    danger: false,
  },
  stop: {
    button: "Stop rollout",
    title: "Stop the rollout permanently?",
    about:
      "Tenants that have the version keep it, and no other tenant gets it. You cannot resume the rollout. To undo it, roll back the tenants.",
    done: "Rollout stopped",
    from: ["running", "paused"],
    icon: CircleStop,
    danger: true,
  },
  rollBack: {
    button: "Roll back tenants",
    title: "Roll back all tenants?",
    about:
      "Each tenant returns to its previous version. If its state is too new for that version, the backup from before the change is restored: the tenant loses its changes since then, and the current state is kept as a backup.",
    done: "Rolling back the tenants",
    from: ["running", "paused", "succeeded", "failed", "stopped"],
    icon: Undo2,
    danger: true,
  },
};
const actions = Object.keys(ACTIONS) as RolloutAction[];

export function RolloutActions({ rollout, name }: { rollout: Rollout; name: string }) {
  const [confirming, setConfirming] = useState<RolloutAction>();
  return (
    <>
      {actions
        .filter((action) => ACTIONS[action].from.includes(rollout.status))
        .map((action) => {
          const { icon: Icon, button } = ACTIONS[action];
          return (
            <Button key={action} variant={action === "stop" ? "danger" : "plain"} onClick={() => setConfirming(action)}>
              <Icon aria-hidden="true" /> {button}
            </Button>
          );
        })}
      {confirming === undefined ? null : (
        <Confirm
          key={confirming}
          action={confirming}
          rollout={rollout}
          name={name}
          onClose={() => setConfirming(undefined)}
        />
      )}
    </>
  );
}

interface ConfirmProps {
  action: RolloutAction;
  rollout: Rollout;
  name: string;
  onClose: () => void;
}

function Confirm({ action, rollout, name, onClose }: ConfirmProps) {
  const queries = useQueryClient();
  const { title, about, button, done, danger } = ACTIONS[action];
  const change = useChange(rolloutRoutes[`${action}Rollout`], {
    success: () => ({ title: done, about: name }),
    onDone: onClose,
  });
  return (
    <ConfirmDialog
      onClose={onClose}
      title={title}
      about={about}
      action={button}
      danger={danger}
      change={change}
      onReload={() => queries.invalidateQueries({ queryKey: [rolloutRoutes.getRollout.tag] })}
      onSubmit={() => change.mutate({ params: { id: rollout.id }, version: rollout.version })}
    />
  );
}
