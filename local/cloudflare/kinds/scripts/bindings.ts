/** Bindings of a script: which the local edge knows, what each must name, and what of them may be answered. */
import { z } from "zod";
import type { ScriptBinding, ScriptRecord } from "../../../account/model.ts";
import type { Store } from "../../../account/store.ts";
import { ApiError } from "../../api/api-error.ts";

const text = z.string();
const present = z.string().min(1);

const fields = {
  plain_text: { text },
  secret_text: { text },
  json: { json: z.unknown() },
  kv_namespace: { namespace_id: present },
  r2_bucket: { bucket_name: present },
  queue: { queue_name: present, delivery_delay: z.coerce.number().int().min(0).exactOptional() },
  hyperdrive: { id: present },
  dispatch_namespace: { namespace: present },
  service: { service: present },
  analytics_engine: { dataset: present },
  browser: {},
  durable_object_namespace: {
    class_name: present,
    script_name: present.exactOptional(),
  },
  inherit: { old_name: present.exactOptional() },
} satisfies Record<string, z.ZodRawShape>;

type BindingType = keyof typeof fields;

function isBindingType(type: string): type is BindingType {
  return type in fields;
}

const anyBinding = z.looseObject({ type: present, name: present });

/** Reads the bindings of an upload. @throws ApiError 400 on a kind or field the edge does not know how to run */
export function parseBindings(given: unknown): ScriptBinding[] {
  const outline = z.array(anyBinding).safeParse(given ?? []);
  if (!outline.success) throw new ApiError(400, 10052, "bindings: each must have a type and a name");
  const names = new Set<string>();
  return outline.data.map((binding) => {
    if (names.has(binding.name)) throw new ApiError(400, 10021, `Binding name ${binding.name} is given twice.`);
    names.add(binding.name);
    if (!isBindingType(binding.type)) {
      throw new ApiError(
        400,
        10021,
        `Binding ${binding.name} has type ${binding.type}, which the local edge does not know.`,
      );
    }
    const parsed = z.looseObject(fields[binding.type]).safeParse(binding);
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      throw new ApiError(400, 10021, `Binding ${binding.name}: ${issue?.path.join(".")}: ${issue?.message}`);
    }
    return { ...parsed.data, type: binding.type, name: binding.name };
  });
}

/** Puts the previous binding in place of each `inherit`, and keeps the previous ones of the types in `keep`. */
export function inheritBindings(given: ScriptBinding[], before: ScriptBinding[], keep: string[]): ScriptBinding[] {
  const taken = given.map((binding) => {
    if (binding.type !== "inherit") return binding;
    const source = before.find((one) => one.name === (binding.old_name ?? binding.name));
    if (source === undefined)
      throw new ApiError(400, 10057, `Binding ${binding.name} cannot be inherited: there is none.`);
    return { ...source, name: binding.name };
  });
  const kept = before.filter((one) => keep.includes(one.type) && !taken.some((binding) => binding.name === one.name));
  return [...taken, ...kept];
}

/** Refuses a binding to something that does not exist, as the vendor does. @throws ApiError 400 */
export function checkBindings(store: Store, script: ScriptRecord): void {
  for (const binding of script.bindings) {
    const name = (field: string) => String(binding[field]);
    const exists = {
      kv_namespace: () => store.get("kv_namespace", name("namespace_id")) !== undefined,
      r2_bucket: () => store.get("bucket", name("bucket_name")) !== undefined,
      queue: () => store.list("queue").some((queue) => queue.queue_name === name("queue_name")),
      hyperdrive: () => store.get("hyperdrive", name("id")) !== undefined,
      dispatch_namespace: () => store.get("dispatch_namespace", name("namespace")) !== undefined,
      service: () => name("service") === script.id || store.get("script", name("service")) !== undefined,
      durable_object_namespace: () => durableObjectNamespaceId(store, script, binding) !== undefined,
    };
    const refusals: Record<keyof typeof exists, [number, string]> = {
      kv_namespace: [10041, `KV namespace '${name("namespace_id")}' not found.`],
      r2_bucket: [10085, `R2 bucket '${name("bucket_name")}' not found. Please use a different name and try again.`],
      queue: [11000, `Queue '${name("queue_name")}' not found.`],
      hyperdrive: [10021, `Hyperdrive config '${name("id")}' not found.`],
      dispatch_namespace: [100119, `Dispatch namespace '${name("namespace")}' not found.`],
      service: [10143, `Service binding '${binding.name}' references Worker '${name("service")}' which was not found.`],
      durable_object_namespace: [
        10061,
        `Cannot create binding for class '${name("class_name")}' because it is not currently configured to implement Durable Objects.`,
      ],
    };
    if (!(binding.type in exists)) continue;
    const type = binding.type as keyof typeof exists;
    if (!exists[type]()) throw new ApiError(400, ...refusals[type]);
  }
}

/** The Durable Object namespace that a binding of `script` stands for. */
function durableObjectNamespaceId(store: Store, script: ScriptRecord, binding: ScriptBinding): string | undefined {
  const { script_name, class_name } = binding;
  const owner =
    script_name === undefined || script_name === script.name
      ? script
      : store.list("script").find((one) => one.name === script_name && one.namespace === script.namespace);
  return owner?.durable_objects.find((one) => one.class_name === class_name)?.namespace_id;
}

/** A binding as the API answers it: never with a secret's value. */
export function bindingAnswer(store: Store, script: ScriptRecord, binding: ScriptBinding): ScriptBinding {
  if (binding.type === "secret_text") return { name: binding.name, type: binding.type };
  if (binding.type !== "durable_object_namespace") return binding;
  return { ...binding, namespace_id: durableObjectNamespaceId(store, script, binding) };
}
