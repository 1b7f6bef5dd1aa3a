/** Users with administrative rights over a WebSocket. OpenClaw reads them from its configuration, also while it runs. */
import { merged, readConfig, writeWhole } from "./config-file.mjs";

/** Maximum number of users in the configuration; the oldest is removed. The ticket limits the rights of each connection. */
const MAX_OPERATORS = 200;

export class Operators {
  #path;
  #known = new Set();

  /** @param path of the configuration file */
  constructor(path) {
    this.#path = path;
  }

  /** Adds a user. OpenClaw makes open connections reconnect, which gives them the right. */
  admit(email) {
    const name = email.toLowerCase();
    if (this.#known.has(name)) return;
    const config = readConfig(this.#path, this.#path);
    if (config === undefined) return;
    const present = config.gateway?.auth?.identityScopes ?? {};
    this.#known = new Set(Object.keys(present));
    if (this.#known.has(name)) return;
    const entries = [...Object.entries(present), [name, ["operator.admin"]]].slice(-MAX_OPERATORS);
    const next = merged(config, { gateway: { auth: {} } });
    next.gateway.auth.identityScopes = Object.fromEntries(entries);
    writeWhole(this.#path, `${JSON.stringify(next, null, 2)}\n`);
    this.#known.add(name);
  }
}
