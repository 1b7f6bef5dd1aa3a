import type { ReactNode } from "react";
import { type Instance, instanceRoutes } from "#workers/contracts/api/instances/instances.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { Button } from "#workers/dashboard/ui/kit/button.tsx";
import { formatBytes } from "#workers/dashboard/ui/kit/format.ts";
import { BACKUPS_TAG } from "../backups/backups.ts";
import { useMustWait } from "../open-job.ts";

interface BackUpButtonProps {
  instance: Instance;
  icon: ReactNode;
}

/** Needs no confirmation: an additional backup changes nothing else. */
export function BackUpButton({ instance, icon }: BackUpButtonProps) {
  const { id } = instance;
  const mustWait = useMustWait(instance);
  const change = useChange(instanceRoutes.backUpInstance, {
    also: [BACKUPS_TAG],
    success({ state, backup }) {
      if (state === "made" && backup !== null) return { title: "Backup created", about: formatBytes(backup.bytes) };
      if (state === "nothing") return { kind: "info", title: "No state to back up yet" };
      return { kind: "info", title: "Backup in progress", about: "It appears in the list when it is complete." };
    },
    failure: "Failed to create a backup",
  });
  return (
    <Button disabled={mustWait} busy={change.isPending} onClick={() => change.mutate({ params: { instance_id: id } })}>
      {change.isPending ? null : icon} Create backup
    </Button>
  );
}
