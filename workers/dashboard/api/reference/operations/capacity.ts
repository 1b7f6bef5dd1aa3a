import { capacityRoutes } from "#workers/contracts/api/capacity.ts";
import { section } from "./section.ts";

export const capacitySection = section(
  capacityRoutes,
  "Capacity",
  "Cloudflare limits how many resources an account has. These limits bound the number of tenants.",
  {
    getCapacity: {
      description:
        "Returns use and limit of each kind of resource, and how many more tenants fit. The automation service counts them periodically; `counted_at` has the time.",
      answer: {
        data: [
          {
            kind: "accessApplications",
            used: 212,
            most: 500,
            scarce: false,
            counted_at: "2026-11-02T14:00:00.000Z",
          },
        ],
        tenants_left: 143,
      },
    },
  },
);
