/** What a request carries with it on its way through the dashboard. */
import type { SecureHeadersVariables } from "hono/secure-headers";
import type { Kysely } from "kysely";
import type { DB } from "../../database/types.ts";
import type { Caller } from "./dashboard-users.ts";

export type Variables = SecureHeadersVariables & { db: Kysely<DB>; caller: Caller };
