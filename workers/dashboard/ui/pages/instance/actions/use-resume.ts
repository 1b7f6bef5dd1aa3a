import { clientRoutes } from "#workers/contracts/api/tenants/clients.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";

export const useResume = (name: string) =>
  useChange(clientRoutes.resumeClient, {
    also: ["instances", "jobs"],
    success: `${name} resumed`,
    failure: `Failed to resume ${name}`,
  });
