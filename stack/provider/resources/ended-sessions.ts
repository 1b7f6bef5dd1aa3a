import { resource } from "@tenantry/plugin-host";
import * as z from "zod";
import { endSessions } from "#database/callers/end-sessions.ts";
import type { Clients } from "../clients.ts";
import { runTransaction } from "../database/pool.ts";

const inputs = z.object({ role: z.string().min(1), version: z.int().positive() });
type Inputs = z.infer<typeof inputs>;

const endRoleSessions = (clients: Clients, { role }: Inputs) =>
  runTransaction(clients.database(), (client) => endSessions(client, role));

export const endedSessions = resource<Clients, Inputs, object>({
  type: "tenantry:index:EndedSessions",
  inputs,
  removes: "Nothing.",
  identity: ({ role }) => role,

  async create(clients, given) {
    await endRoleSessions(clients, given);
    return { id: given.role, outputs: {} };
  },

  // Ended sessions have no live state.
  read: async (_clients, id, known) => known ?? { inputs: { role: id, version: 1 }, outputs: {} },

  async update(clients, _id, now) {
    await endRoleSessions(clients, now);
    return {};
  },

  delete: async () => {},
});
