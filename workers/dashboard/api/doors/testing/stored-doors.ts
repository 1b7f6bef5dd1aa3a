/** What the database has of doors. */
import { expect } from "vitest";
import { resolvedDoor } from "#workers/contracts/door-entry.ts";
import { openSecrets } from "#workers/shared/doors/door-secrets.ts";
import type { ApiUnderTest } from "../../../testing/start-api.ts";
import { DOORS_KEY } from "../../../testing/start-dashboard.ts";

type Api = Pick<ApiUnderTest, "database">;

/** Returns the hash of the key in an address. */
export const hashOf = async (url: string): Promise<string> =>
  Buffer.from(await crypto.subtle.digest("SHA-256", Buffer.from(url.split("/").at(-1) ?? ""))).toString("hex");

/** Returns what the dispatch Worker reads of a URL, with decrypted secrets. */
export async function resolvedByKey({ database }: Api, url: string) {
  const { rows } = await database.pool.query("select api.resolve_door($1) as found", [await hashOf(url)]);
  const { door } = resolvedDoor.parse(rows[0].found);
  if (door === null) return undefined;
  const open = (sealed: string) => openSecrets({ used: DOORS_KEY }, door.id, Buffer.from(sealed, "base64"));
  return {
    ...{ id: door.id, state: door.state, name: door.name, slug: door.tenant.slug },
    secrets: await open(door.secrets),
    former: door.former_secrets === null ? undefined : await open(door.former_secrets),
  };
}

/** Returns the text of every table that could have a secret. */
export async function storedText({ database }: Api): Promise<string> {
  const tables = ["doors", "audit_log", "events", "jobs", "idempotency_keys"];
  const all = await Promise.all(tables.map((table) => database.pool.query(`select t::text from tenantry.${table} t`)));
  return JSON.stringify(all.map(({ rows }) => rows));
}

/** Returns the hashes whose cache entries the jobs so far invalidate. */
export async function invalidatedHashes({ database }: Api): Promise<string[][]> {
  const { rows } = await database.pool.query("select kind, slug, payload from tenantry.jobs order by created_at, id");
  for (const { kind, slug } of rows) expect([kind, slug]).toEqual(["invalidate", "acme"]);
  return rows.map(({ payload }) => payload.doors);
}
