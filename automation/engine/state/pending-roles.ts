/** Database roles that a killed run created and did not record. The plugin refuses to create a role that exists. */
import pg from "pg";
import * as z from "zod";
import { databaseUrl } from "#database/connection/address.ts";
import { clientConfig } from "../../database.ts";

const ROLE = "postgresql:index/role:Role";

/** A string in an exported state; a secret is JSON in JSON. */
const text = z.union([
  z.string(),
  z
    .object({ plaintext: z.string().transform((plaintext) => z.string().parse(JSON.parse(plaintext))) })
    .transform(({ plaintext }) => plaintext),
]);
const server = z.object({
  host: text,
  port: z.coerce.number(),
  database: text,
  username: text,
  password: text,
  sslmode: text,
});
const resource = z.object({
  urn: z.string().optional(),
  type: z.string(),
  id: z.string().optional(),
  provider: z.string().optional(),
  inputs: z.record(z.string(), z.unknown()).default({}),
});
const state = z.object({
  resources: z.array(resource).nullish(),
  pending_operations: z.array(z.object({ type: z.string(), resource })).nullish(),
});
type State = z.infer<typeof state>;

const pendingRoles = ({ pending_operations }: State) =>
  (pending_operations ?? []).flatMap(({ type, resource }) =>
    type === "creating" && resource.type === ROLE ? [resource] : [],
  );

/** Whether a run was killed while it created a role. @param deployment exported */
export function hasPendingRoles(deployment: unknown): boolean {
  const { data } = state.safeParse(deployment);
  return data !== undefined && pendingRoles(data).length > 0;
}

/** Drops unrecorded roles of pending creates. @param before state that the killed run left, with secrets @returns names */
export async function dropUnrecordedRoles(before: unknown, now: unknown): Promise<string[]> {
  const left = state.parse(before);
  const known = (state.parse(now).resources ?? []).flatMap(({ type, id }) => (type === ROLE ? [id] : []));
  const dropped: string[] = [];
  for (const { inputs, provider } of pendingRoles(left)) {
    const { name } = inputs;
    if (typeof name !== "string" || known.includes(name)) continue;
    if (await dropRole(name, serverOf(left, provider))) dropped.push(`database role ${name}`);
  }
  return dropped;
}

/** Returns the URL that a resource's provider connects to. @param reference URN and id of the provider */
function serverOf({ resources }: State, reference = ""): string {
  const found = (resources ?? []).find(({ urn, id }) => reference === `${urn}::${id}`);
  const { username, ...address } = server.parse(found?.inputs);
  return databaseUrl({ ...address, user: username });
}

async function dropRole(name: string, url: string): Promise<boolean> {
  const client = new pg.Client(clientConfig(url));
  // The current statement reports a lost connection.
  client.on("error", () => undefined);
  await client.connect();
  try {
    const { rowCount } = await client.query("select from pg_roles where rolname = $1", [name]);
    if (rowCount === 0) return false;
    await client.query(`drop role ${pg.escapeIdentifier(name)}`);
    return true;
  } finally {
    await client.end();
  }
}
