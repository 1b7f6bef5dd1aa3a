/** Reports a refused login once: a refresh reads every row, and each read would fail with the same message. */

import { type Known, UserError } from "@tenantry/plugin-host";
import pg from "pg";
import { errorText } from "#domain/errors/catalogue.ts";
import { providerErrors } from "#domain/errors/stack/provider.ts";

/** PostgreSQL, "Appendix A. PostgreSQL Error Codes": invalid_password, invalid_authorization_specification. */
const REFUSED = new Set(["28P01", "28000"]);

const reported = new WeakSet<object>();

/** Fails the first read of a session with a refused login. Other reads return the known state: the run has already failed. */
export function reportRefusalOnce<Clients extends object, Inputs, Outputs, Read>(
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
      if (reported.has(clients)) return known;
      reported.add(clients);
      throw new UserError(errorText(providerErrors.provider_login_refused));
    }
  };
}
