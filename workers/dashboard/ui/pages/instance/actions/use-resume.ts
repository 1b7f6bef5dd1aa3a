import { clientRoutes } from "#workers/contracts/api/tenants/clients.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { toast } from "#workers/dashboard/ui/kit/toast/toast.ts";

/** Lets a frozen tenant take traffic again; its outcome is told wherever one is by then. */
export const useResume = (name: string) =>
  useChange(clientRoutes.resumeClient, {
    also: ["instances", "jobs"],
    onDone: () => toast({ title: `${name} takes traffic again` }),
    onFailed: ({ message }) => toast({ kind: "failed", title: `${name} stays frozen`, about: message }),
  });
