import * as z from "zod";
import type { Store } from "#account/store.ts";
import { containerScript, DEPLOYED, NO_APPLICATION } from "#containers/names.ts";
import type { ObjectBinding } from "#runtime/worker/definition.ts";
import { bindingType, type Surroundings } from "../../binding.ts";
import type { ContainerApplicationRecord } from "../containers/record.ts";
import type { ScriptBinding, ScriptRecord } from "../scripts/record.ts";

export const durableObjectBinding = bindingType(
  { class_name: z.string().min(1), script_name: z.string().min(1).exactOptional() },
  {
    missing: (binding, store, script) =>
      namespaceId(binding, store, script) === undefined
        ? [
            10061,
            `Cannot create binding for class '${binding.class_name}' because it is not currently configured to implement Durable Objects.`,
          ]
        : undefined,
    answer: (binding, store, script) => ({ ...binding, namespace_id: namespaceId(binding, store, script) }),
    connect({ class_name: className, script_name: scriptName }, script, to) {
      if (scriptName === undefined || scriptName === script.name) {
        return { option: "durableObjects", value: ownObject(script, className, to) };
      }
      if (to.neighbours.has(scriptName)) return { option: "durableObjects", value: { className, scriptName } };
      return { unavailable: `there is no script ${scriptName} in this process` };
    },
  },
);

/** Returns the application of a Durable Object class. */
export function containerApplication(store: Store, namespaceId: string): ContainerApplicationRecord | undefined {
  return store.list("container_application").find((one) => one.durable_objects.namespace_id === namespaceId);
}

/** A class of the script. With containers, it starts none before its application exists. */
export function ownObject(
  script: ScriptRecord,
  className: string,
  { store, containers }: Pick<Surroundings, "store" | "containers">,
): ObjectBinding {
  const object = script.durable_objects.find((one) => one.class_name === className);
  const plain = { className, useSQLite: object?.sqlite ?? false };
  const hasContainers = script.containers.some((one) => one.class_name === className);
  if (!hasContainers || object === undefined) return plain;
  // Only the edge's own engine chooses the image when a container starts.
  const imageName =
    containers.image === undefined
      ? DEPLOYED
      : (containerApplication(store, object.namespace_id)?.configuration.image ?? NO_APPLICATION);
  return {
    ...plain,
    unsafeUniqueKey: containers.uniqueKey(containerScript(script), className),
    container: { imageName },
  };
}

/** Returns the Durable Object namespace of a binding. */
function namespaceId(
  { script_name, class_name }: ScriptBinding,
  store: Store,
  script: ScriptRecord,
): string | undefined {
  const owner =
    script_name === undefined || script_name === script.name
      ? script
      : store.list("script").find((one) => one.name === script_name && one.namespace === script.namespace);
  return owner?.durable_objects.find((one) => one.class_name === class_name)?.namespace_id;
}
