/** Lists of the API that show creates and deletes late, while reads by id do not. */
import { generatedId } from "../account/identifiers.ts";
import type { RecordKind, Records } from "../account/records.ts";
import type { Store } from "../account/store.ts";
import type { Weather } from "./weather.ts";

/** Not documented. Clients have to re-read for longer: `LATE_LIST_MS` of `@tenantry/cloudflare-client/late-list`. */
export const LATEST_MS = 3_000;

/** Parts of other objects, which have no lists of their own. */
const PARTS: readonly RecordKind[] = ["r2_event_notifications", "schedules"];
const NAMES = ["title", "queue_name", "pattern", "domain", "name"] as const;

interface Late {
  /** Milliseconds since the epoch. */
  until: number;
  /** A deleted record that lists still have; none for a new record that they lack. */
  deleted?: Records[RecordKind];
}

export interface LateLists {
  /** The store, for all operations that change it. */
  store: Store;
  /** The store as lists show it. */
  listed: Store;
}

/** Returns views of the store. A change of a record through `store` may reach `listed` up to {@link LATEST_MS} later. */
export function lateLists(store: Store, weather: Weather): LateLists {
  const late = new Map<RecordKind, Map<string, Late>>();

  function change(kind: RecordKind, what: "create" | "delete", record: Records[RecordKind]): void {
    if (PARTS.includes(kind)) return;
    const ofKind = late.get(kind) ?? new Map<string, Late>();
    late.set(kind, ofKind);
    // The list catches up with both changes of an object that a late list did not show, or still shows.
    if (ofKind.delete(record.id)) return;
    const injected = weather.next("api-lists", `${what} ${kind} ${nameOf(record)}`);
    if (injected === undefined) return;
    const until = weather.now() + weather.duration(injected.amount * LATEST_MS);
    ofKind.set(record.id, what === "delete" ? { until, deleted: record } : { until });
  }

  function list<K extends RecordKind>(kind: K): Records[K][] {
    const ofKind = late.get(kind);
    const records = store.list(kind);
    if (ofKind === undefined) return records;
    for (const [id, { until }] of ofKind) if (until <= weather.now()) ofKind.delete(id);
    // The map of a kind has records of that kind.
    const shown = [...ofKind.values()].flatMap(({ deleted }) => (deleted === undefined ? [] : [deleted as Records[K]]));
    return [...records.filter(({ id }) => !ofKind.has(id)), ...shown];
  }

  const changes: Partial<Store> = {
    put(kind, record) {
      const isNew = store.get(kind, record.id) === undefined;
      store.put(kind, record);
      if (isNew) change(kind, "create", record);
    },
    delete(kind, id) {
      const record = store.get(kind, id);
      const existed = store.delete(kind, id);
      if (record !== undefined && existed) change(kind, "delete", record);
      return existed;
    },
  };
  return { store: overlaid(store, changes), listed: overlaid(store, { ...changes, list }) };
}

/** Returns the store with other methods. */
function overlaid(store: Store, methods: Partial<Store>): Store {
  return new Proxy(store, {
    get(target, property) {
      const own: unknown = Reflect.get(methods, property) ?? Reflect.get(target, property, target);
      return typeof own === "function" ? own.bind(target) : own;
    },
  });
}

function nameOf(record: Records[RecordKind]): string {
  const fields: Readonly<Record<string, unknown>> = { ...record };
  const name = NAMES.map((field) => fields[field]).find((value) => typeof value === "string");
  return String(name ?? record.id).replace(generatedId, ":id");
}
