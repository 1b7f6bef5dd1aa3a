/**
 * Administrators that the gateway has seen. OpenClaw grants them administrative rights without a paired device, as a command line in a
 * pipeline needs. Its configuration gets them at the next start: a change while it runs restarts it (2026.9.5) or ends all turns (2026.9.6).
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { writeWhole } from "./config-file.mjs";

/** In the state, next to the configuration. */
const FILE = ".tenantry-operators.json";
/** The oldest is removed. A listed user gets no more than the ticket of each connection allows. */
const MAX_OPERATORS = 200;

/** Returns their addresses, in lower case. */
function readOperators(state) {
  try {
    const names = JSON.parse(readFileSync(join(state, FILE), "utf8"));
    return Array.isArray(names) ? names.filter((name) => typeof name === "string" && name !== "") : [];
  } catch {
    // It does not exist yet, or a program in the container has written it.
    return [];
  }
}

/** Returns OpenClaw's key `gateway.auth.identityScopes`. */
export const identityScopes = (state) =>
  Object.fromEntries(readOperators(state).map((name) => [name, ["operator.admin"]]));

export class Operators {
  #state;
  #known;

  constructor(state) {
    this.#state = state;
  }

  add(email) {
    const name = email.toLowerCase();
    this.#known ??= new Set(readOperators(this.#state));
    if (this.#known.has(name)) return;
    this.#known = new Set([...this.#known, name].slice(-MAX_OPERATORS));
    try {
      writeWhole(join(this.#state, FILE), JSON.stringify([...this.#known]));
    } catch {
      // A full disk must not refuse the request.
    }
  }
}
