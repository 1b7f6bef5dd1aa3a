/** What the address of the audit log says. */
import * as z from "zod";

const moment = z.iso.datetime({ offset: true }).optional().catch(undefined);

export const auditSearch = z.object({
  entity: z.string().min(1).max(63).optional().catch(undefined),
  client: z.uuid().optional().catch(undefined),
  actor: z.string().min(1).max(254).optional().catch(undefined),
  /** ISO 8601. */
  from: moment,
  to: moment,
});
export type AuditSearch = z.infer<typeof auditSearch>;
