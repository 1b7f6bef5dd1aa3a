import type { Environment } from "#domain/environment.ts";
import { slugOfName, type TenantName, tenantNames } from "#domain/names/deployed-names.ts";

/** Finds the tenant that a resource belongs to by the resource's name. */
export class TenantsByName {
  readonly environment: Environment;
  /** Slugs by the names of their resources: a shortened name does not contain its slug. */
  readonly #known = new Map<string, string>();

  /** @param known slugs of rows and stacks */
  constructor(environment: Environment, known: Iterable<string>) {
    this.environment = environment;
    for (const slug of known) {
      for (const [which, name] of Object.entries(tenantNames(slug, environment)))
        this.#known.set(`${which} ${name}`, slug);
    }
  }

  /** Returns `undefined` for names of other environments and of resources that are no tenant's. */
  of(which: TenantName, name: string): string | undefined {
    return this.#known.get(`${which} ${name}`) ?? slugOfName(which, name, this.environment);
  }
}
