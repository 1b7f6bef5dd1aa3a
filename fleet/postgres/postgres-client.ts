/** PostgreSQL's client programs. They must not be older than the server. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import type { DatabaseAddress } from "#database/connection/address.ts";
import { asSentence, CatalogueError } from "#domain/errors/catalogue-error.ts";
import { fleetDatabaseErrors } from "#domain/errors/commands/fleet-database.ts";

/** Directory of the programs. Default: `PATH`. */
export const CLIENT_VARIABLE = "TENANTRY_POSTGRES_CLIENT";

const MAX_OUTPUT_BYTES = 1 << 28;

export class PostgresClient {
  readonly #directory: string | undefined;
  readonly #address: DatabaseAddress;

  constructor(address: DatabaseAddress, variables: Readonly<Record<string, string | undefined>>) {
    this.#address = address;
    this.#directory = variables[CLIENT_VARIABLE] || undefined;
  }

  /** @throws Error with what to install */
  async check(serverMajor: number): Promise<void> {
    for (const program of ["pg_dump", "pg_dumpall", "pg_restore", "psql"]) {
      const text = await this.run(program, ["--version"]).catch((error: Error) => error);
      const major = text instanceof Error ? undefined : Number(/(\d+)(?:\.\d+)*/.exec(text)?.[1]);
      if (major !== undefined && major >= serverMajor) continue;
      const values = { program, version: serverMajor, variable: CLIENT_VARIABLE };
      throw major === undefined
        ? new CatalogueError(fleetDatabaseErrors.postgres_client_missing, values)
        : new CatalogueError(fleetDatabaseErrors.postgres_client_too_old, { ...values, found: major });
    }
  }

  /** Runs a program and returns its standard output. @param database to connect to. Default: the address's @throws Error with its standard error */
  async run(program: string, args: readonly string[], database = this.#address.database): Promise<string> {
    const { host, port, user, password, sslmode } = this.#address;
    const path = this.#directory === undefined ? program : join(this.#directory, program);
    // Other users of the machine can see arguments, but not the environment.
    const connection = {
      PGHOST: host.replace(/^\[|\]$/g, ""),
      PGPORT: String(port),
      PGUSER: user,
      PGPASSWORD: password,
      PGSSLMODE: sslmode,
      PGDATABASE: database,
    };
    try {
      const env = { ...process.env, ...connection };
      return (await promisify(execFile)(path, [...args], { env, maxBuffer: MAX_OUTPUT_BYTES })).stdout;
    } catch (error) {
      const { stderr = "", message } = error as Error & { stderr?: string };
      const fault = asSentence(stderr.trim() || message);
      throw new CatalogueError(fleetDatabaseErrors.postgres_client_failed, { program, fault }, { cause: error });
    }
  }
}
