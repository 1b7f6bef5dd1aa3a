/** What the address of the list of clients says. */
import * as z from "zod";
import { plans } from "#domain/plans/plan.ts";
import { clientStates, instanceStates } from "#domain/tenants/instance-state.ts";
import { clientOrders } from "#workers/contracts/api/tenants/clients.ts";

/** What is none of these is as if it were not there: an address may be older than the page. */
export const clientsSearch = z.object({
  search: z.string().max(100).optional().catch(undefined),
  sort: z.enum(clientOrders).optional().catch(undefined),
  status: z.enum(clientStates).optional().catch(undefined),
  plan: z.enum(plans).optional().catch(undefined),
  instance: z.enum(instanceStates).optional().catch(undefined),
  partner: z.uuid().optional().catch(undefined),
});
export type ClientsSearch = z.infer<typeof clientsSearch>;
