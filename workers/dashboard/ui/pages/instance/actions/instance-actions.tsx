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
import type { Client } from "#workers/contracts/api/tenants/clients.ts";
import type { Instance } from "#workers/contracts/api/tenants/instances.ts";
import { useViewer } from "#workers/dashboard/ui/api/session.ts";
import { Button } from "#workers/dashboard/ui/kit/button.tsx";
import { Menu } from "#workers/dashboard/ui/kit/menu/menu.tsx";
import { type Action, type ActionDialogProps, isOffered } from "./action.ts";
import { BackUpButton } from "./back-up-button.tsx";

type Asked = Exclude<Action, "back_up">;

const DIALOGS: Readonly<Record<Asked, LazyExoticComponent<ComponentType<ActionDialogProps>>>> = {
  restart: lazy(() => import("./dialogs/restart-dialog.tsx")),
  provision: lazy(() => import("./dialogs/again-dialog.tsx")),
  resume: lazy(() => import("./dialogs/resume-dialog.tsx")),
  freeze: lazy(() => import("./dialogs/freeze-dialog.tsx")),
  plan: lazy(() => import("./dialogs/plan-dialog.tsx")),
  gateway: lazy(() => import("./dialogs/gateway-dialog.tsx")),
  version: lazy(() => import("./dialogs/version-dialog.tsx")),
  token: lazy(() => import("./dialogs/token-dialog.tsx")),
  remove: lazy(() => import("./dialogs/remove-dialog.tsx")),
};

const ITEMS: Readonly<Record<Asked, readonly [name: string, icon: LucideIcon]>> = {
  restart: ["Restart", RotateCcw],
  provision: ["Provision again", Play],
  resume: ["Resume", Play],
  freeze: ["Freeze…", Snowflake],
  plan: ["Change the plan…", Gem],
  gateway: ["Reassign the AI gateway…", ArrowLeftRight],
  version: ["Change the version…", PackageOpen],
  token: ["Rotate the token…", KeyRound],
  remove: ["Deprovision…", Trash2],
};

/** What stands beside the title, and what its menu holds. */
const BESIDE = ["provision", "resume", "restart"] as const;
const GROUPS = [["plan", "gateway", "version", "token"], ["freeze"], ["remove"]] as const;

/** All that the viewer may do to the instance as it is now. */
export function InstanceActions({ instance, client }: { instance: Instance; client: Client }) {
  const viewer = useViewer();
  const [open, setOpen] = useState<Asked>();
  const who = {
    isRoot: viewer.isRoot,
    isDeleted: client.delete_after !== null,
    frozenBy: client.instance?.frozen_by ?? null,
  };
  const offered = (action: Action) => isOffered(action, instance, who);
  const groups = GROUPS.map((group) =>
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
      {BESIDE.filter(offered).map((action) => {
        const [name, Icon] = ITEMS[action];
        return (
          <Button key={action} look={action === "restart" ? "plain" : "primary"} onClick={() => setOpen(action)}>
            <Icon aria-hidden="true" /> {name}
          </Button>
        );
      })}
      {groups.every((group) => group.length === 0) ? null : (
        <Menu
          trigger={
            <Button>
              More <ChevronDown aria-hidden="true" />
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
