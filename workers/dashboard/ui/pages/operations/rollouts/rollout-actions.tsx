import { useQueryClient } from "@tanstack/react-query";
import { CircleStop, Pause, Play, Undo2 } from "lucide-react";
import { useState } from "react";
import type { RolloutStatus } from "#domain/rollouts/progress.ts";
import { type Rollout, rolloutRoutes } from "#workers/contracts/api/tenants/rollouts.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { Button } from "#workers/dashboard/ui/kit/button.tsx";
import { ConfirmDialog } from "#workers/dashboard/ui/kit/form/dialog.tsx";
import { toast } from "#workers/dashboard/ui/kit/toast/toast.ts";

type Order = "pause" | "resume" | "stop" | "rollBack";

interface OrderText {
  button: string;
  title: string;
  about: string;
  done: string;
  from: readonly RolloutStatus[];
  icon: typeof Pause;
  danger: boolean;
}

const ORDERS: Readonly<Record<Order, OrderText>> = {
  pause: {
    button: "Pause",
    title: "Pause the roll-out?",
    about: "What is being changed is finished; nobody else is begun with until it is resumed.",
    done: "The roll-out waits",
    from: ["running"],
    icon: Pause,
    danger: false,
  },
  resume: {
    button: "Resume",
    title: "Resume the roll-out?",
    about: "It goes on with the wave that it is in.",
    done: "The roll-out goes on",
    from: ["paused"],
    icon: Play,
    danger: false,
  },
  stop: {
    button: "Stop",
    title: "Stop the roll-out for good?",
    about:
      "Who has the version keeps it, and nobody else gets it. It cannot be resumed; roll back to take it from all.",
    done: "The roll-out is stopped",
    from: ["running", "paused"],
    icon: CircleStop,
    danger: true,
  },
  rollBack: {
    button: "Roll back",
    title: "Take all of it back?",
    about:
      "Each tenant goes to what it ran before, with the backup of then where its state is too new for that: what was done there since is lost to it, and kept as a backup.",
    done: "The roll-out goes back",
    from: ["running", "paused", "succeeded", "failed", "stopped"],
    icon: Undo2,
    danger: true,
  },
};
const order: readonly Order[] = ["pause", "resume", "stop", "rollBack"];

/** What can be done with a roll-out now, each after another question. */
export function RolloutActions({ rollout, name }: { rollout: Rollout; name: string }) {
  const [asked, setAsked] = useState<Order | undefined>(undefined);
  return (
    <>
      {order
        .filter((one) => ORDERS[one].from.includes(rollout.status))
        .map((one) => {
          const { icon: Icon, button, danger } = ORDERS[one];
          return (
            <Button key={one} look={danger && one === "stop" ? "danger" : "plain"} onClick={() => setAsked(one)}>
              <Icon aria-hidden="true" /> {button}
            </Button>
          );
        })}
      {asked === undefined ? null : (
        <Confirm key={asked} asked={asked} rollout={rollout} name={name} onClose={() => setAsked(undefined)} />
      )}
    </>
  );
}

interface ConfirmProps {
  asked: Order;
  rollout: Rollout;
  name: string;
  onClose: () => void;
}

function Confirm({ asked, rollout, name, onClose }: ConfirmProps) {
  const queries = useQueryClient();
  const { title, about, button, done, danger } = ORDERS[asked];
  const change = useChange(rolloutRoutes[`${asked}Rollout`], {
    onDone: () => {
      onClose();
      toast({ title: done, about: name });
    },
  });
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={title}
      about={about}
      action={button}
      danger={danger}
      busy={change.isPending}
      error={change.error}
      onReadAnew={() => void queries.invalidateQueries({ queryKey: [rolloutRoutes.getRollout.tag] }).then(change.reset)}
      onSubmit={() => change.mutate({ params: { id: rollout.id }, version: rollout.version })}
    />
  );
}
