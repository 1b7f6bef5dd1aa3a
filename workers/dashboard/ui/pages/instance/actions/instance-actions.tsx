import {
  Archive,
  ArrowLeftRight,
  ChevronDown,
  Gem,
  KeyRound,
  type LucideIcon,
  PackageOpen,
  Play,
  RotateCcw,
  Snowflake,
  Trash2,
} from "lucide-react";
import { type ComponentType, type LazyExoticComponent, lazy, Suspense, useState } from "react";
import type { Instance } from "#workers/contracts/api/instances/instances.ts";
import type { Client } from "#workers/contracts/api/tenants/clients.ts";
import { useViewer } from "#workers/dashboard/ui/api/session.ts";
import { Button } from "#workers/dashboard/ui/kit/button.tsx";
import { Menu } from "#workers/dashboard/ui/kit/menu/menu.tsx";
import { type Action, type ActionDialogProps, isOffered } from "./action.ts";
import { BackUpButton } from "./back-up-button.tsx";

type DialogAction = Exclude<Action, "back_up">;

const confirmDialogs = () => import("./dialogs/confirm-dialogs.tsx");
const DIALOGS: Readonly<Record<DialogAction, LazyExoticComponent<ComponentType<ActionDialogProps>>>> = {
  restart: lazy(async () => ({ default: (await confirmDialogs()).RestartDialog })),
  provision: lazy(async () => ({ default: (await import("./dialogs/provision-dialog.tsx")).ProvisionAgainDialog })),
  resume: lazy(async () => ({ default: (await confirmDialogs()).ResumeDialog })),
  freeze: lazy(() => import("./dialogs/freeze-dialog.tsx")),
  plan: lazy(() => import("./dialogs/plan-dialog.tsx")),
  gateway: lazy(() => import("./dialogs/gateway-dialog.tsx")),
  version: lazy(() => import("./dialogs/version-dialog.tsx")),
  token: lazy(async () => ({ default: (await confirmDialogs()).TokenDialog })),
  remove: lazy(() => import("./dialogs/remove-dialog.tsx")),
};

const ITEMS: Readonly<Record<DialogAction, readonly [name: string, icon: LucideIcon]>> = {
  restart: ["Restart gateway", RotateCcw],
  provision: ["Provision again", Play],
  resume: ["Resume instance", Play],
  freeze: ["Freeze instance…", Snowflake],
  plan: ["Change plan…", Gem],
  gateway: ["Reassign AI gateway…", ArrowLeftRight],
  version: ["Change version…", PackageOpen],
  token: ["Rotate token…", KeyRound],
  remove: ["Deprovision instance…", Trash2],
};

const BUTTONS = ["provision", "resume", "restart"] as const;
const MENU = [["plan", "gateway", "version", "token"], ["freeze"], ["remove"]] as const;

export function InstanceActions({ instance, client }: { instance: Instance; client: Client }) {
  const viewer = useViewer();
  const [open, setOpen] = useState<DialogAction>();
  const context = {
    isRoot: viewer.isRoot,
    isDeleted: client.delete_after !== null,
    frozenBy: client.instance?.frozen_by ?? null,
  };
  const offered = (action: Action) => isOffered(action, instance, context);
  const groups = MENU.map((group) =>
    group.filter(offered).map((action) => {
      const [name, Icon] = ITEMS[action];
      const icon = <Icon key={action} aria-hidden="true" />;
      return { name, icon, danger: action === "remove", onSelect: () => setOpen(action) };
    }),
  );
  const Dialog = open === undefined ? undefined : DIALOGS[open];
  return (
    <>
      {offered("back_up") ? <BackUpButton instance={instance} icon={<Archive aria-hidden="true" />} /> : null}
      {BUTTONS.filter(offered).map((action) => {
        const [name, Icon] = ITEMS[action];
        return (
          <Button key={action} variant={action === "restart" ? "plain" : "primary"} onClick={() => setOpen(action)}>
            <Icon aria-hidden="true" /> {name}
          </Button>
        );
      })}
      {groups.every((group) => group.length === 0) ? null : (
        <Menu
          trigger={
            <Button>
              More actions <ChevronDown aria-hidden="true" />
            </Button>
          }
          groups={groups}
        />
      )}
      {Dialog === undefined ? null : (
        <Suspense>
          <Dialog instance={instance} onClose={() => setOpen(undefined)} />
        </Suspense>
      )}
    </>
  );
}
