/** A PostgreSQL server for tests of the provider, with or without the engine. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as postgresql from "@pulumi/postgresql";
import { pluginEnvironment } from "@tenantry/plugin-host";
import { type TestStack, testStack } from "@tenantry/plugin-host/testing/test-stack";
import { removeDatabase, startDatabase } from "@tenantry/postgres";
import { copyEmptyCluster } from "@tenantry/postgres/testing/prepared-cluster";
import pg from "pg";
import { pluginPaths } from "../../plugin-paths.ts";
import { startProviders } from "../../providers.ts";

export class TestServer {
  readonly url: URL;
  /** Connected as superuser. */
  readonly client: pg.Client;
  readonly stop: () => Promise<void>;

  private constructor(url: string, client: pg.Client, stop: () => Promise<void>) {
    this.url = new URL(url);
    this.client = client;
    this.stop = stop;
  }

  static async start(): Promise<TestServer> {
    const directory = await mkdtemp(join(tmpdir(), "tenantry-roles-"));
    const data = join(directory, "postgres");
    await copyEmptyCluster(data);
    const database = await startDatabase({ directory: data, name: "tenantry", log: () => {} });
    const client = new pg.Client(database.url);
    await client.connect();
    return new TestServer(database.url, client, async () => {
      await client.end();
      await database.stop();
      // As root, its data is outside the directory.
      await removeDatabase(data);
      await rm(directory, { recursive: true, force: true });
    });
  }

  /** Declares the provider in a program. */
  provider(): postgresql.Provider {
    return new postgresql.Provider("server", {
      host: this.url.hostname,
      port: Number(this.url.port),
      database: "tenantry",
      username: this.url.username,
      password: decodeURIComponent(this.url.password),
      sslmode: "disable",
      superuser: false,
    });
  }

  async privileges(role: string, table: string): Promise<string[]> {
    const { rows } = await this.client.query<{ privilege: string }>(
      `select privilege_type as privilege from information_schema.role_table_grants
       where grantee = $1 and table_name = $2 order by 1`,
      [role, table],
    );
    return rows.map(({ privilege }) => privilege);
  }

  async memberships(role: string): Promise<string[]> {
    const { rows } = await this.client.query<{ name: string }>(
      `select pg_get_userbyid(roleid)::text as name from pg_auth_members where pg_get_userbyid(member) = $1 order by 1`,
      [role],
    );
    return rows.map(({ name }) => name);
  }
}

/** Opens a stack whose engine uses the stand-ins. */
export async function openTestStack(): Promise<TestStack & { close: () => Promise<void> }> {
  const providers = await startProviders();
  const stack = await testStack(
    pluginEnvironment(providers),
    Object.fromEntries(pluginPaths.map(({ name, path }) => [name, path])),
  );
  const close = async () => {
    await stack.dispose();
    await providers.stop();
  };
  return Object.assign(stack, { close });
}

/** Returns the message of the error; empty without one. */
export const failureOf = (run: Promise<unknown>): Promise<string> =>
  run.then(
    () => "",
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
