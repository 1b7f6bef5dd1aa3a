import type { Connected, Surroundings } from "../../cloudflare/binding.ts";
import { ownObject } from "../../cloudflare/kinds/durable-objects/binding.ts";
import type { ScriptBinding, ScriptRecord } from "../../cloudflare/kinds/scripts/record.ts";
import { bindingTypes } from "../../cloudflare/kinds.ts";
import type { AssetsNativeBinding } from "../assets/services.ts";
import type { WorkerBindings } from "./definition.ts";
import { type NativeBinding, nativeBindings } from "./native-bindings.ts";
import { unavailableBinding } from "./unavailable.ts";

/**
 * Returns the options of Miniflare for the bindings of a script. A binding without its target, or of a type that is not supported, throws
 * when it is used.
 *
 * @throws ZodError when a binding lacks a required field
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
    const connected = connectBinding(binding, script, around);
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

function connectBinding(binding: ScriptBinding, script: ScriptRecord, around: Surroundings): Connected {
  const type = bindingTypes[binding.type];
  return type?.connect?.(type.fields.parse(binding), script, around) ?? { unavailable: "" };
}

/** Classes without a binding keep their storage. */
function unboundObjects(script: ScriptRecord, options: WorkerBindings, around: Surroundings): WorkerBindings {
  const bound = new Set(Object.values(options.durableObjects ?? {}).map((object) => object.className));
  return {
    additionalUnboundDurableObjects: script.durable_objects
      .filter((object) => !bound.has(object.class_name))
      .map((object) => ownObject(script, object.class_name, around)),
  };
}
