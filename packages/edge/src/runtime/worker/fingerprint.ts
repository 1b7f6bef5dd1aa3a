/** Tells whether a script must start again: a hash of all that its process is made from. */
import { createHash } from "node:crypto";
import type { Store } from "../../account/store.ts";
import { containerApplication } from "../../cloudflare/kinds/durable-objects/binding.ts";
import type { ScriptRecord } from "../../cloudflare/kinds/scripts/record.ts";
import { bindingTypes } from "../../cloudflare/kinds.ts";

export function scriptFingerprint(store: Store, script: ScriptRecord): string {
  const { main_module, modules, bindings, compatibility_date, compatibility_flags, durable_objects, containers } =
    script;
  const { assets = null } = script;
  const bound = bindings.map((binding) => bindingTypes[binding.type]?.ingredient?.(binding, store) ?? null);
  const images = containers.map(({ class_name }) => {
    const object = durable_objects.find((one) => one.class_name === class_name);
    return object === undefined
      ? null
      : (containerApplication(store, object.namespace_id)?.configuration.image ?? null);
  });
  const parts = [
    main_module,
    modules,
    bindings,
    compatibility_date,
    compatibility_flags,
    durable_objects,
    containers,
    assets,
  ];
  return createHash("sha256")
    .update(JSON.stringify([parts, bound, images]))
    .digest("hex");
}
