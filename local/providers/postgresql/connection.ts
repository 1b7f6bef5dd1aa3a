import { UserError } from "@tenantry/plugin-host";
import type pg from "pg";
import * as z from "zod";
import { poolOf } from "#stack/provider/database/pool.ts";

/** The vendor plugin's configuration. Missing values come from `PGHOST`, `PGPORT` and so on. */
export const config = z.strictObject({
  host: z.string().optional(),
  port: z.coerce.number().optional(),
  database: z.string().optional(),
  username: z.string().optional(),
  password: z.string().optional(),
  sslmode: z.string().optional(),
  superuser: z.union([z.boolean(), z.stringbool()]).optional(),
  /** Ignored: the pool has a timeout of its own. */
  connectTimeout: z.coerce.number().optional(),
  version: z.string().optional(),
  pluginDownloadURL: z.string().optional(),
});

export interface Connection {
  database: string;
  user: string;
  /** Whether the user is a superuser, who can read passwords. */
  superuser: boolean;
  pool(database?: string): pg.Pool;
}

export function connectPostgres(
  given: z.infer<typeof config>,
  environment: Record<string, string | undefined>,
): Connection {
  const host = given.host ?? environment.PGHOST;
  const own = given.database ?? environment.PGDATABASE ?? "postgres";
  const user = given.username ?? environment.PGUSER ?? "postgres";
  return {
    database: own,
    user,
    superuser: given.superuser ?? environment.PGSUPERUSER !== "false",
    pool(database = own) {
      if (host === undefined) {
        throw new UserError(
          "No PostgreSQL server is configured. Set `postgresql:host` or PGHOST, with user and password.",
        );
      }
      const url = new URL("postgres://localhost");
      url.hostname = host;
      url.port = String(given.port ?? environment.PGPORT ?? 5432);
      url.username = encodeURIComponent(user);
      url.password = encodeURIComponent(given.password ?? environment.PGPASSWORD ?? "");
      url.pathname = encodeURIComponent(database);
      const sslmode = given.sslmode ?? environment.PGSSLMODE;
      if (sslmode !== undefined) url.searchParams.set("sslmode", sslmode);
      return poolOf(url.href);
    },
  };
}
