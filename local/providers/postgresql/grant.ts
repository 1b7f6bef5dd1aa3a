import * as z from "zod";
import { UserError } from "../../../plugin-host/errors.ts";
import { resource } from "../../../plugin-host/resource.ts";
import { catalogChange } from "./catalog-change.ts";
import type { Connection } from "./connection.ts";
import { grantee, objectTypes, on, privilegeList, privilegesOf } from "./privileges.ts";

const inputs = z.strictObject({
  database: z.string(),
  role: z.string(),
  schema: z.string().optional(),
  objectType: z.enum(objectTypes),
  objects: z
    .array(z.string())
    .default([])
    .transform((objects) => objects.toSorted()),
  privileges: privilegeList,
  withGrantOption: z.boolean().default(false),
});
type Inputs = z.infer<typeof inputs>;

async function apply(connection: Connection, given: Inputs): Promise<void> {
  const target = on(given);
  const to = grantee(given.role);
  await catalogChange(connection.pool(given.database), async (client) => {
    await client.query(`REVOKE ALL PRIVILEGES ${target} FROM ${to}`);
    if (given.privileges.length === 0) return;
    const option = given.withGrantOption ? "WITH GRANT OPTION" : "";
    await client.query(`GRANT ${given.privileges.join(", ")} ${target} TO ${to} ${option}`);
  });
}

function idOf({ role, database, schema, objectType, objects }: Inputs): string {
  return [role, database, ...(schema === undefined ? [] : [schema]), objectType, ...objects].join("_");
}

/** Privileges of a role, and those only. The vendor's plugin cannot import one either. */
export const grant = resource<Connection, Inputs, object>({
  type: "postgresql:index/grant:Grant",
  inputs,
  replaceOn: ["database", "role", "schema", "objectType", "objects", "withGrantOption"],
  identity: idOf,

  async create(connection, given) {
    await apply(connection, given);
    return { id: idOf(given), outputs: {} };
  },

  async read(connection, _id, known) {
    if (known === undefined) throw new UserError("A grant cannot be imported: declare it, and it is put as declared.");
    const { inputs: given } = known;
    const live = await privilegesOf(connection.pool(given.database), given.role, given);
    const wanted = given.privileges.join();
    const other = [...live.values()].find((privileges) => privileges.toSorted().join() !== wanted);
    return { inputs: { ...given, privileges: other ?? given.privileges }, outputs: {} };
  },

  async update(connection, _id, now) {
    await apply(connection, now);
    return {};
  },

  async delete(connection, _id, { inputs: given }) {
    await catalogChange(connection.pool(given.database), async (client) => {
      await client.query(`REVOKE ALL PRIVILEGES ${on(given)} FROM ${grantee(given.role)}`);
    });
  },
});
