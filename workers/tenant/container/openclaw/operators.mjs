/** Users whom OpenClaw grants administrative rights over a WebSocket: it reads them in its configuration, while it runs too. */
import { merged, readConfig, writeWhole } from "./config-file.mjs";

/** Addresses that the configuration may name; the oldest makes room. What each connection may do is capped by its ticket all the same. */
const MOST_OPERATORS = 200;

export class Operators {
  #path;
  #known = new Set();

  /** @param path of the configuration file */
  constructor(path) {
    this.#path = path;
  }

  /** Names a user among them. A connection under way gets the right when OpenClaw has it connect anew. */
  admit(email) {
    const name = email.toLowerCase();
    if (this.#known.has(name)) return;
    const config = readConfig(this.#path, this.#path);
    if (config === undefined) return;
    const present = config.gateway?.auth?.identityScopes ?? {};
    this.#known = new Set(Object.keys(present));
    if (this.#known.has(name)) return;
    const entries = [...Object.entries(present), [name, ["operator.admin"]]].slice(-MOST_OPERATORS);
    const next = merged(config, { gateway: { auth: {} } });
    next.gateway.auth.identityScopes = Object.fromEntries(entries);
    writeWhole(this.#path, `${JSON.stringify(next, null, 2)}\n`);
    this.#known.add(name);
  }
}
