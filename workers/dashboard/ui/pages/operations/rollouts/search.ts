/** What the address of a roll-out says. */
import * as z from "zod";
import { rolloutTenantStatuses } from "#domain/rollouts/progress.ts";

export const rolloutSearch = z.object({ status: z.enum(rolloutTenantStatuses).optional().catch(undefined) });
