/**
 * Groups of the account's scripts that share a process. Scripts that reach each other share one. Scripts that own or reach Durable Objects
 * are separate: two processes must not open the same objects, so an update ends their process and with it all connections.
 */
import type { RecordKind } from "../../account/records.ts";
import type { Store } from "../../account/store.ts";
import type { ScriptRecord } from "../../cloudflare/kinds/scripts/record.ts";

const KINDS: ReadonlySet<RecordKind> = new Set(["script", "queue", "queue_consumer"]);

interface ScriptGroups {
  /** Scripts with Durable Objects, and all that they are bound to. */
  stateful: ScriptRecord[];
  stateless: ScriptRecord[];
}

/** Returns a function that groups the account's scripts as they are now in the store. Caches the groups until a change. */
export function scriptGroups(store: Store): () => ScriptGroups {
  let groups: ScriptGroups | undefined;
  store.onChange(({ kind }) => {
    if (KINDS.has(kind)) groups = undefined;
  });
  return () => (groups ??= groupScripts(store));
}

function groupScripts(store: Store): ScriptGroups {
  const scripts = store.list("script").filter((script) => script.namespace === undefined);
  const links = new Map<string, Set<string>>();
  const link = (a: string, b: string) => {
    links.set(a, (links.get(a) ?? new Set()).add(b));
    links.set(b, (links.get(b) ?? new Set()).add(a));
  };
  for (const { name, bindings } of scripts) {
    for (const { type, ...binding } of bindings) {
      if (type === "service") link(scriptNode(name), scriptNode(binding.service));
      if (type === "durable_object_namespace") link(scriptNode(name), scriptNode(binding.script_name ?? name));
      if (type === "queue") link(scriptNode(name), queueNode(binding.queue_name));
    }
  }
  for (const { queue_id, script_name, dead_letter_queue } of store.list("queue_consumer")) {
    const queue = queueNode(store.get("queue", queue_id)?.queue_name);
    if (script_name !== undefined) link(scriptNode(script_name), queue);
    if (dead_letter_queue !== undefined) link(queue, queueNode(dead_letter_queue));
  }
  const reached = new Set(scripts.filter(hasObjects).map(({ name }) => scriptNode(name)));
  // The iteration includes nodes that are added during it.
  for (const node of reached) for (const next of links.get(node) ?? []) reached.add(next);
  const isStateful = ({ name }: ScriptRecord) => reached.has(scriptNode(name));
  return { stateful: scripts.filter(isStateful), stateless: scripts.filter((script) => !isStateful(script)) };
}

export function hasObjects(script: ScriptRecord): boolean {
  return script.durable_objects.length > 0;
}

const scriptNode = (name: unknown) => `script ${String(name)}`;
const queueNode = (name: unknown) => `queue ${String(name)}`;
