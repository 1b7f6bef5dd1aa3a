import { createHash } from "node:crypto";
import type { Store } from "../../account/store.ts";
import { containerApplication } from "../../cloudflare/kinds/durable-objects/binding.ts";
import type { ScriptRecord } from "../../cloudflare/kinds/scripts/record.ts";
import { bindingTypes } from "../../cloudflare/kinds.ts";
import type { ContainerEngine } from "../../containers/engine.ts";

interface Around {
  store: Store;
  containers: Pick<ContainerEngine, "image">;
}

/** Returns a hash of everything that the process of a script depends on. */
export function scriptFingerprint({ store, containers: engine }: Around, script: ScriptRecord): string {
  const { main_module, modules, bindings, compatibility_date, compatibility_flags } = script;
  const { durable_objects, containers, assets = null } = script;
  const bound = bindings.map((binding) => bindingTypes[binding.type]?.ingredient?.(binding, store) ?? null);
  // The edge's own engine chooses the image when a container starts.
  const images = (engine.image === undefined ? [] : containers).map(({ class_name }) => {
    const object = durable_objects.find((candidate) => candidate.class_name === class_name);
    return (object && containerApplication(store, object.namespace_id)?.configuration.image) ?? null;
  });
  const code = [main_module, modules, bindings, compatibility_date, compatibility_flags];
  const parts = [...code, durable_objects, containers, assets];
  return createHash("sha256")
    .update(JSON.stringify([parts, bound, images]))
    .digest("hex");
}
