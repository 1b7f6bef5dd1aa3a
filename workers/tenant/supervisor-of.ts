import type { TenantEnv } from "./env.ts";

/** The tenant's one supervisor. */
export const supervisorOf = (env: TenantEnv) => env.SUPERVISOR.get(env.SUPERVISOR.idFromName("gateway"));
