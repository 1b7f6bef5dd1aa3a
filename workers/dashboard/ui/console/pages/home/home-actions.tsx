import { Archive, Moon, RotateCcw } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import type { Instance } from "#workers/contracts/api/instances/instances.ts";
import { Button } from "#workers/dashboard/ui/kit/button.tsx";
import { BackUpButton } from "#workers/dashboard/ui/pages/instance/actions/back-up-button.tsx";
import { useMustWait } from "#workers/dashboard/ui/pages/instance/open-job.ts";
import { WakeButton } from "../../wake-button.tsx";

const RestartDialog = lazy(async () => ({
  default: (await import("#workers/dashboard/ui/pages/instance/actions/dialogs/confirm-dialogs.tsx")).RestartDialog,
}));
const SleepDialog = lazy(() => import("./sleep-dialog.tsx"));

interface HomeActionsProps {
  instance: Instance;
  isAsleep: boolean;
  isAdmin: boolean;
}

export function HomeActions({ isAdmin, isAsleep, instance }: HomeActionsProps) {
  return (
    <>
      {isAsleep && instance.status === "running" ? <WakeButton instance={instance} variant="primary" /> : null}
      {isAdmin ? <AdminActions instance={instance} isAsleep={isAsleep} /> : null}
    </>
  );
}

function AdminActions({ instance, isAsleep }: Omit<HomeActionsProps, "isAdmin">) {
  const [opened, setOpened] = useState<"restart" | "sleep">();
  const { status } = instance;
  const mustWait = useMustWait(instance);
  const close = () => setOpened(undefined);
  return (
    <>
      {status === "running" ? <BackUpButton instance={instance} icon={<Archive aria-hidden="true" />} /> : null}
      {status === "running" && !isAsleep ? (
        <Button disabled={mustWait} onClick={() => setOpened("sleep")}>
          <Moon aria-hidden="true" /> Sleep now
        </Button>
      ) : null}
      {status === "running" || status === "error" ? (
        <Button disabled={mustWait} onClick={() => setOpened("restart")}>
          <RotateCcw aria-hidden="true" /> Restart
        </Button>
      ) : null}
      <Suspense>
        {opened === "restart" ? <RestartDialog instance={instance} onClose={close} /> : null}
        {opened === "sleep" ? <SleepDialog instance={instance} onClose={close} /> : null}
      </Suspense>
    </>
  );
}
