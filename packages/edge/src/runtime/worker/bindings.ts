/** A stored script's bindings as Miniflare's options. */
import type { Connected, Surroundings } from "../../cloudflare/binding.ts";
import { ownObject } from "../../cloudflare/kinds/durable-objects/binding.ts";
import type { ScriptBinding, ScriptRecord } from "../../cloudflare/kinds/scripts/record.ts";
import { bindingTypes } from "../../cloudflare/kinds.ts";
import type { AssetsNativeBinding } from "../assets/services.ts";
import type { WorkerBindings } from "./definition.ts";
import { type NativeBinding, nativeBindings } from "./native-bindings.ts";
import { unavailableBinding } from "./unavailable.ts";

/**
 * Options for every binding of `script`. A binding whose target is not there, or whose type cannot run here, throws
 * when it is used and not before.
 * @throws ZodError when a binding lacks a field its type must have
 */
export function bindingOptions(script: ScriptRecord, around: Surroundings): WorkerBindings {
  const options = {
    bindings: {},
    durableObjects: {},
    queueProducers: {},
    hyperdrives: {},
    serviceBindings: {},
    wrappedBindings: {},
  } satisfies WorkerBindings;
  const native: NativeBinding[] = [];
  const files: AssetsNativeBinding[] = [];
  for (const binding of script.bindings) {
    const connected = connect(binding, script, around);
    if ("native" in connected) native.push(connected.native);
    else if ("files" in connected) files.push(connected.files);
    else if ("option" in connected) Object.assign(options[connected.option], { [binding.name]: connected.value });
    else Object.assign(options.wrappedBindings, { [binding.name]: unavailableBinding(binding, connected.unavailable) });
  }
  return {
    ...options,
    unsafeBindings: [...nativeBindings(native), ...files],
    ...unboundObjects(script, options, around),
  };
}

function connect(binding: ScriptBinding, script: ScriptRecord, around: Surroundings): Connected {
  const type = bindingTypes[binding.type];
  return type?.connect?.(type.fields.parse(binding), script, around) ?? { unavailable: "" };
}

/** Classes that migrations made and no binding names still keep their storage. */
function unboundObjects(script: ScriptRecord, options: WorkerBindings, around: Surroundings): WorkerBindings {
  const bound = new Set(Object.values(options.durableObjects ?? {}).map((object) => object.className));
  return {
    additionalUnboundDurableObjects: script.durable_objects
      .filter((object) => !bound.has(object.class_name))
      .map((object) => ownObject(script, object.class_name, around)),
  };
}
