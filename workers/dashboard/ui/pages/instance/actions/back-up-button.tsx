import type { ReactNode } from "react";
import { type Instance, instanceRoutes } from "#workers/contracts/api/tenants/instances.ts";
import type { Answer } from "#workers/dashboard/ui/api/ask.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { Button } from "#workers/dashboard/ui/kit/button.tsx";
import { formatBytes } from "#workers/dashboard/ui/kit/format.ts";
import { toast } from "#workers/dashboard/ui/kit/toast/toast.ts";
import { BACKUPS_TAG } from "../backups/backups.ts";

/** Takes no asking back: a backup more changes nothing else. */
export function BackUpButton({ instance: { id }, icon }: { instance: Instance; icon: ReactNode }) {
  const change = useChange(instanceRoutes.backUpInstance, {
    also: [BACKUPS_TAG],
    onDone: tell,
    onFailed: ({ message }) => toast({ kind: "failed", title: "It was not backed up", about: message }),
  });
  return (
    <Button busy={change.isPending} onClick={() => change.mutate({ params: { instance_id: id } })}>
      {change.isPending ? null : icon} Back up now
    </Button>
  );
}

function tell({ state, backup }: Answer<typeof instanceRoutes.backUpInstance>): void {
  if (state === "made" && backup !== null) toast({ title: "It is backed up", about: formatBytes(backup.bytes) });
  else if (state === "nothing") toast({ kind: "told", title: "There is no state to back up yet" });
  else toast({ kind: "told", title: "The backup goes on", about: "The list has it once it is made." });
}
