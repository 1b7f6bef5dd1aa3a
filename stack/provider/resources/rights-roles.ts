import { resource } from "@tenantry/plugin-host";
import * as z from "zod";
import { existingRightsRoles, makeRightsRoles } from "#database/schema/rights-roles.ts";
import type { Clients } from "../clients.ts";
import { runTransaction } from "../database/pool.ts";

const inputs = z.object({ names: z.array(z.string()) });

const ID = "tenantry";

/** The roles that have rights on tables and functions. All environments of a database share them. */
export const rightsRoles = resource<Clients, z.infer<typeof inputs>, object>({
  type: "tenantry:index:RightsRoles",
  inputs,
  removes: "Nothing: other environments use the roles.",
  identity: () => ID,

  async create(clients, { names }) {
    await runTransaction(clients.database(), (client) => makeRightsRoles(client, names));
    return { id: ID, outputs: {} };
  },

  async read(clients, _id, known) {
    const names = await runTransaction(clients.database(), existingRightsRoles);
    if (names.length === 0) return undefined;
    return { inputs: { names: known?.inputs.names.filter((name) => names.includes(name)) ?? names }, outputs: {} };
  },

  async update(clients, _id, { names }) {
    await runTransaction(clients.database(), (client) => makeRightsRoles(client, names));
    return {};
  },

  delete: async () => {},
});
