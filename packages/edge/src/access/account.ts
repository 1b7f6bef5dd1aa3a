/** The account's Access records, cached until they change. */
import type { RecordKind, Records } from "../account/records.ts";
import type { Change, Store } from "../account/store.ts";
import type {
  AccessApplicationRecord,
  AccessPolicyRecord,
  AccessServiceTokenRecord,
} from "../cloudflare/kinds/access/records.ts";
import type { Weather } from "../weather/weather.ts";

const KINDS = ["access_application", "access_policy", "access_group", "access_service_token", "list"] as const;
type AccessKind = (typeof KINDS)[number];
/** Kinds whose changes can be late. */
const LATE_KINDS = ["access_policy", "access_group", "list"] as const;
const LATEST_MS = 60_000;

/** What a record was before a change that is not in effect yet. */
interface Pending {
  before: unknown;
  until: number;
}

export class AccessAccount {
  readonly #store: Store;
  readonly #weather: Weather | undefined;
  readonly #read = new Map<RecordKind, Map<string, unknown>>();
  readonly #pending = new Map<string, Pending>();

  constructor(store: Store, weather?: Weather) {
    this.#store = store;
    this.#weather = weather;
    // A late change needs the record before it.
    if (weather !== undefined) for (const kind of LATE_KINDS) this.#records(kind);
    store.onChange((change) => {
      const late = LATE_KINDS.find((kind) => kind === change.kind);
      if (weather !== undefined && late !== undefined) this.#delay(late, change, weather);
      this.#read.delete(change.kind);
      if (weather !== undefined && late !== undefined) this.#records(late);
    });
  }

  applications(): AccessApplicationRecord[] {
    return [...this.#records("access_application").values()];
  }

  find<K extends AccessKind>(kind: K, id: string): Records[K] | undefined {
    const pending = this.#pending.get(`${kind} ${id}`);
    if (pending !== undefined && (this.#weather?.now() ?? 0) < pending.until) return pending.before as Records[K];
    return this.#records(kind).get(id);
  }

  /** Returns the valid service token of an id and a secret. */
  serviceToken(clientId: string, secretSha256: string): AccessServiceTokenRecord | undefined {
    for (const token of this.#records("access_service_token").values()) {
      const isValid = token.expires_at === null || Date.parse(token.expires_at) > Date.now();
      if (token.client_id === clientId) return isValid && token.secret_sha256 === secretSha256 ? token : undefined;
    }
    return undefined;
  }

  /** Returns the application's policies in order of precedence, without deleted ones. */
  policies(application: AccessApplicationRecord): AccessPolicyRecord[] {
    return application.policies
      .toSorted((a, b) => a.precedence - b.precedence)
      .flatMap(({ id }) => this.find("access_policy", id) ?? []);
  }

  /** Keeps the record before a change in effect for a time. */
  #delay(kind: AccessKind, { id, operation }: Change, weather: Weather): void {
    const key = `${kind} ${id}`;
    const before = this.find(kind, id);
    const name = (this.#store.get(kind, id) ?? before)?.name ?? "";
    const injected = weather.next("access", `${operation} ${kind} ${name}`);
    if (injected === undefined) this.#pending.delete(key);
    else this.#pending.set(key, { before, until: weather.now() + weather.duration(injected.amount * LATEST_MS) });
  }

  #records<K extends AccessKind>(kind: K): Map<string, Records[K]> {
    const known = this.#read.get(kind);
    if (known !== undefined) return known as Map<string, Records[K]>;
    const records = new Map(this.#store.list(kind).map((record) => [record.id, record]));
    this.#read.set(kind, records);
    return records;
  }
}
