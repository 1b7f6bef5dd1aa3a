import { readAccountLimits } from "#database/work/account-limits.ts";
import { readCapacity } from "#database/work/capacity.ts";
import { accountNeeds, DEFAULT_TENANT_SHAPE } from "#domain/plans/account-limits.ts";
import { type Capacity, capacityKinds, isScarce, tenantsLeft } from "#domain/plans/capacity.ts";
import type { capacityRoutes } from "#workers/contracts/api/capacity.ts";
import type { Handlers } from "../../http/serve.ts";

export const capacityHandlers: Handlers<typeof capacityRoutes> = {
  async getCapacity({ db, settings }) {
    const counted = await readCapacity(db);
    const known = (of: "used" | "most") => Object.fromEntries(counted.map((one) => [one.kind, one[of]])) as Capacity;
    const { needs } = (await readAccountLimits(db, settings.ENVIRONMENT)) ?? {
      needs: accountNeeds(DEFAULT_TENANT_SHAPE),
    };
    const isWhole = counted.length === capacityKinds.length;
    return {
      data: counted.map(({ kind, used, most, countedAt }) => ({
        kind,
        used,
        most,
        scarce: isScarce(used, most),
        counted_at: countedAt.toISOString(),
      })),
      tenants_left: isWhole ? tenantsLeft(known("used"), needs[settings.ENVIRONMENT].tenant, known("most")) : null,
    };
  },
};
