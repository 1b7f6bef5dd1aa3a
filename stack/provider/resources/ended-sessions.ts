import { resource } from "@tenantry/plugin-host";
import * as z from "zod";
import { endSessions } from "#database/callers/end-sessions.ts";
import type { Clients } from "../clients.ts";
import { transaction } from "../database/pool.ts";

const inputs = z.object({ role: z.string().min(1), version: z.int().positive() });
type Inputs = z.infer<typeof inputs>;

const end = (clients: Clients, { role }: Inputs) =>
  transaction(clients.database(), (client) => endSessions(client, role));

/** The sessions of a role that cannot log in any more are ended. */
export const endedSessions = resource<Clients, Inputs, object>({
  type: "tenantry:index:EndedSessions",
  inputs,
  removes: "Nothing.",
  identity: ({ role }) => role,

  async create(clients, given) {
    await end(clients, given);
    return { id: given.role, outputs: {} };
  },

  // A session that ended leaves nothing to look at.
  read: async (_clients, id, known) => known ?? { inputs: { role: id, version: 1 }, outputs: {} },

  async update(clients, _id, now) {
    await end(clients, now);
    return {};
  },

  delete: async () => {},
});
