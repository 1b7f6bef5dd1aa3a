/** The account's Access records, cached until they change. */
import type { RecordKind, Records } from "../account/records.ts";
import type { Store } from "../account/store.ts";
import type { AccessApplicationRecord, AccessPolicyRecord } from "../cloudflare/kinds/access/records.ts";

const KINDS = ["access_application", "access_policy", "access_group", "list"] as const;
type AccessKind = (typeof KINDS)[number];

export class AccessAccount {
  readonly #store: Store;
  readonly #read = new Map<RecordKind, Map<string, unknown>>();

  constructor(store: Store) {
    this.#store = store;
    store.onChange(({ kind }) => this.#read.delete(kind));
  }

  applications(): AccessApplicationRecord[] {
    return [...this.#records("access_application").values()];
  }

  find<K extends AccessKind>(kind: K, id: string): Records[K] | undefined {
    return this.#records(kind).get(id);
  }

  /** Returns the application's policies in order of precedence, without deleted ones. */
  policies(application: AccessApplicationRecord): AccessPolicyRecord[] {
    return application.policies
      .toSorted((a, b) => a.precedence - b.precedence)
      .flatMap(({ id }) => this.find("access_policy", id) ?? []);
  }

  #records<K extends AccessKind>(kind: K): Map<string, Records[K]> {
    const known = this.#read.get(kind);
    if (known !== undefined) return known as Map<string, Records[K]>;
    const records = new Map(this.#store.list(kind).map((record) => [record.id, record]));
    this.#read.set(kind, records);
    return records;
  }
}
