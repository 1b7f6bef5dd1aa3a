import { UserError } from "@tenantry/plugin-host";
import type pg from "pg";
import * as z from "zod";
import { poolOf } from "#stack/provider/database/pool.ts";

/** The vendor plugin's configuration; what is missing is taken from `PGHOST`, `PGPORT`, … as it does. */
export const config = z.strictObject({
  host: z.string().optional(),
  port: z.coerce.number().optional(),
  database: z.string().optional(),
  username: z.string().optional(),
  password: z.string().optional(),
  sslmode: z.string().optional(),
  superuser: z.union([z.boolean(), z.stringbool()]).optional(),
  /** Not applied: the pool of connections has a time limit of its own. */
  connectTimeout: z.coerce.number().optional(),
  /** The engine's own keys. */
  version: z.string().optional(),
  pluginDownloadURL: z.string().optional(),
});

/** Connections to the databases of one server. */
export interface Connection {
  /** Database that the configuration names. */
  database: string;
  /** User that the configuration names. */
  user: string;
  /** Whether the configuration says that the user is a superuser, from whom passwords can be read. */
  superuser: boolean;
  /** Pool of connections to `database`, or to that of the configuration. */
  pool(database?: string): pg.Pool;
}

export function connect(given: z.infer<typeof config>, environment: Record<string, string | undefined>): Connection {
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
          "No PostgreSQL server: set `postgresql:host`, or PGHOST, and the user and password with it.",
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
