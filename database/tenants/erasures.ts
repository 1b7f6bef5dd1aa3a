/** Erasures: deletions of clients that also delete the backups, and end with a certificate. The rows outlive the client. */
import { sql, type Transaction } from "kysely";
import type { DB } from "../types.ts";

/** Requests the erasure of a client; a repetition changes nothing. @param requestedBy e-mail address of who gets the certificate */
export async function requestErasure(tx: Transaction<DB>, clientId: string, requestedBy: string): Promise<void> {
  await sql`
    insert into tenantry.erasures
      (environment, client_id, partner_id, slug, name, worker_name, own_ai_gateway, requested_by, recipients)
    select c.environment, c.id, c.partner_id, c.slug, c.name, i.worker_name,
      case when i.ai_gateway_pool_id is null and starts_with(i.ai_gateway_id, 'tenantry-' || left(c.slug, 40)) then i.ai_gateway_id end, ${requestedBy}, array[${requestedBy}]
    from tenantry.clients c left join tenantry.instances i on i.client_id = c.id
    where c.id = ${clientId}
    on conflict (client_id) do nothing`.execute(tx);
}
