import { sql } from "kysely";

/** Whether the user `u` gets notifications of the client `c`: an ADMIN, unless the client is being deleted. */
export const isRecipient = sql<boolean>`u.role = 'ADMIN' and u.status = 'validated' and c.delete_after is null`;
