/** Whose a thing is, by what it is called. */

import type { Environment } from "#domain/environment.ts";
import { slugOfName, type TenantName, tenantNames } from "#domain/names/deployed-names.ts";

export class TenantsByName {
  readonly environment: Environment;
  /** Of known tenants, by what their things are called: cut names are told by these alone. */
  readonly #known = new Map<string, string>();

  /** @param known slugs of rows and stacks */
  constructor(environment: Environment, known: Iterable<string>) {
    this.environment = environment;
    for (const slug of known) {
      for (const [which, name] of Object.entries(tenantNames(slug, environment)))
        this.#known.set(`${which} ${name}`, slug);
    }
  }

  /** `undefined` for what is called otherwise, another environment's, and whatever nobody can tell. */
  of(which: TenantName, name: string): string | undefined {
    return this.#known.get(`${which} ${name}`) ?? slugOfName(which, name, this.environment);
  }
}
