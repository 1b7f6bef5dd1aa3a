/** Tells whether a script must start again: a hash of all that its process is made from. */
import { createHash } from "node:crypto";
import type { ScriptRecord } from "../../account/model.ts";
import type { Store } from "../../account/store.ts";
import { containerApplication } from "../../cloudflare/kinds/containers/application-of.ts";

export function scriptFingerprint(store: Store, script: ScriptRecord): string {
  const { main_module, modules, bindings, compatibility_date, compatibility_flags, durable_objects, containers } =
    script;
  const databases = bindings
    .filter((binding) => binding.type === "hyperdrive" && typeof binding.id === "string")
    .map((binding) => store.get("hyperdrive", String(binding.id)));
  const images = containers.map(({ class_name }) => {
    const object = durable_objects.find((one) => one.class_name === class_name);
    return object === undefined
      ? null
      : (containerApplication(store, object.namespace_id)?.configuration.image ?? null);
  });
  const parts = [main_module, modules, bindings, compatibility_date, compatibility_flags, durable_objects, containers];
  return createHash("sha256")
    .update(JSON.stringify([parts, databases.map((database) => database?.origin ?? null), images]))
    .digest("hex");
}
