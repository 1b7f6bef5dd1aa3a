/** A log-in that the database refuses, told once: a refresh reads every row, and each would fail with the same sentence. */

import { type Known, UserError } from "@tenantry/plugin-host";
import pg from "pg";

/** PostgreSQL, "Appendix A. PostgreSQL Error Codes": invalid_password, invalid_authorization_specification. */
const REFUSED = new Set(["28P01", "28000"]);

const MESSAGE =
  "The database refuses the user or password in this stack's state, so that none of its rows could be read. If the password was " +
  "changed by hand, have a new one made, in the platform's stack: " +
  "pulumi up --replace '**RandomPassword::provisioner-password*'.";

/** Sessions whose log-in was refused. */
const told = new WeakSet<object>();

/**
 * Of all reads of one session that the log-in fails, the first fails and says what to do. The others give what was known: the
 * run has failed already, and nothing of its state is to change.
 */
export function toldOnce<Clients extends object, Inputs, Outputs, Read>(
  read: (clients: Clients, id: string, known: Known<Inputs, Outputs> | undefined) => Promise<Read>,
) {
  return async (
    clients: Clients,
    id: string,
    known: Known<Inputs, Outputs> | undefined,
  ): Promise<Read | Known<Inputs, Outputs>> => {
    try {
      return await read(clients, id, known);
    } catch (error) {
      const refused = error instanceof pg.DatabaseError && REFUSED.has(error.code ?? "");
      if (!refused || known === undefined) throw error;
      if (told.has(clients)) return known;
      told.add(clients);
      throw new UserError(MESSAGE);
    }
  };
}
