import { lazy, Suspense, useState } from "react";
import { type Instance, instanceRoutes } from "#workers/contracts/api/instances/instances.ts";
import { type DoctorRepair, doctorRoutes } from "#workers/contracts/api/tenants/doctor.ts";
import type { ConsolePage } from "#workers/contracts/pages.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { Button, ButtonLink } from "#workers/dashboard/ui/kit/button.tsx";
import { ConfirmDialog } from "#workers/dashboard/ui/kit/form/dialog.tsx";
import type { ActionDialogProps } from "#workers/dashboard/ui/pages/instance/actions/action.ts";
import { BackUpButton } from "#workers/dashboard/ui/pages/instance/actions/back-up-button.tsx";

const RestartDialog = lazy(async () => ({
  default: (await import("#workers/dashboard/ui/pages/instance/actions/dialogs/confirm-dialogs.tsx")).RestartDialog,
}));

/** Repairs that need a choice, by their page. */
const ELSEWHERE: Readonly<Partial<Record<DoctorRepair, readonly [name: string, page: ConsolePage]>>> = {
  putProviderKey: ["Replace the key", "models"],
  replaceChannelToken: ["Go to channels", "channels"],
  replayInbox: ["Go to waiting messages", "channels"],
  restoreBackup: ["Choose a backup", "backups"],
  setSpendingCap: ["Change the cap", "models"],
  changeWorkerPlan: ["Change the plan", "billing"],
};

const DIALOGS = {
  restartInstance: ["Restart", RestartDialog],
  repairByDoctor: ["Repair", RepairDialog],
} as const;

export function RepairAction({ repair, instance }: { repair: DoctorRepair; instance: Instance }) {
  const [isOpen, setOpen] = useState(false);
  const elsewhere = ELSEWHERE[repair];
  if (elsewhere !== undefined) {
    const [name, page] = elsewhere;
    // The compiler knows the routes of the dashboard only.
    const path: string = `/${page}`;
    return (
      <ButtonLink small to={path}>
        {name}
      </ButtonLink>
    );
  }
  if (repair === "backUpInstance") return <BackUpButton instance={instance} icon={null} />;
  const [name, Dialog] = DIALOGS[repair as keyof typeof DIALOGS];
  return (
    <>
      <Button small onClick={() => setOpen(true)}>
        {name}
      </Button>
      <Suspense>{isOpen ? <Dialog instance={instance} onClose={() => setOpen(false)} /> : null}</Suspense>
    </>
  );
}

function RepairDialog({ instance: { id, client }, onClose }: ActionDialogProps) {
  const change = useChange(doctorRoutes.repairByDoctor, {
    also: [instanceRoutes.getInstance.tag],
    success: `The doctor repairs ${client.name}`,
    onDone: onClose,
  });
  return (
    <ConfirmDialog
      onClose={onClose}
      title="Repair by the agent's doctor?"
      about="Its data is backed up, and the agent is stopped while its doctor repairs all that it can. Users are disconnected for a minute or two. Without a backup nothing is changed."
      action="Repair"
      change={change}
      onSubmit={() => change.mutate({ params: { instance_id: id } })}
    />
  );
}
