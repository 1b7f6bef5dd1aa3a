import { clientRoutes } from "../../../../../contracts/api/clients.ts";
import { useChange } from "../../../api/change.ts";
import { toast } from "../../../kit/toast/toast.ts";

/** Lets a frozen tenant take traffic again; its outcome is told wherever one is by then. */
export const useResume = (name: string) =>
  useChange(clientRoutes.resumeClient, {
    also: ["instances", "jobs"],
    onDone: () => toast({ title: `${name} takes traffic again` }),
    onFailed: ({ message }) => toast({ kind: "failed", title: `${name} stays frozen`, about: message }),
  });
