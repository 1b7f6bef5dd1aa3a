/** Service tokens of clients' users: the API, the queries and the dashboard derive from this schema. */
import * as z from "zod";
import { instant } from "./entity.ts";
import { clientRoles } from "./user.ts";

export const serviceToken = z.object({
  id: z.uuid(),
  client_id: z.uuid(),
  /** The user for whom the program or device acts. */
  client_user_id: z.uuid(),
  email: z.string(),
  name: z.string(),
  /** The user's present role limits it. */
  role: z.enum(clientRoles),
  /** Value of the header `CF-Access-Client-Id`. */
  access_client_id: z.string(),
  /** Address of the dashboard's user who created it. */
  created_by: z.string(),
  created_at: instant,
  expires_at: instant,
  /** To the minute; null before the first use. */
  last_used_at: instant.nullable(),
});
