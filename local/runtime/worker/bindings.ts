/** A stored script's bindings as Miniflare's options. */
import { z } from "zod";
import type { HyperdriveRecord, ScriptBinding, ScriptRecord } from "../../account/model.ts";
import type { Store } from "../../account/store.ts";
import { containerApplication } from "../../cloudflare/kinds/containers/application-of.ts";
import { dispatcherBinding } from "../../cloudflare/kinds/dispatch-namespaces/dispatcher.ts";
import type { ContainerEngine } from "../../containers/engine.ts";
import { DATASET_HEADER } from "../internal-headers.ts";
import type { Storage } from "../storage.ts";
import type { WorkerBindings } from "./definition.ts";
import { SERVICE_ENTRYPOINT } from "./entry-module.ts";
import { type NativeBinding, nativeBindings } from "./native-bindings.ts";
import { unavailableBinding } from "./unavailable.ts";

/** What bindings are connected to. */
export interface Surroundings {
  store: Store;
  storage: Storage;
  containers: ContainerEngine;
  /** Path of the hub's unix socket. */
  hub: string;
  /** Scripts in the same process, which service, queue and foreign Durable Object bindings can reach. */
  neighbours: ReadonlySet<string>;
}

const text = z.object({ text: z.string() });
const json = z.object({ json: z.json() });
const kv = z.object({ namespace_id: z.string() });
const bucket = z.object({ bucket_name: z.string() });
const queue = z.object({ queue_name: z.string(), delivery_delay: z.number().optional() });
const durableObject = z.object({ class_name: z.string(), script_name: z.string().optional() });
const dataset = z.object({ dataset: z.string() });
const service = z.object({ service: z.string(), entrypoint: z.string().optional() });
const namespace = z.object({ namespace: z.string(), outbound: z.unknown().optional() });
const byId = z.object({ id: z.string() });

type Options = Required<
  Pick<
    WorkerBindings,
    "bindings" | "durableObjects" | "queueProducers" | "hyperdrives" | "serviceBindings" | "wrappedBindings"
  >
> & { native: NativeBinding[] };

/**
 * Options for every binding of `script`. A binding whose target is not there, or whose type cannot run here, throws
 * when it is used and not before.
 * @throws ZodError when a binding lacks a field its type must have
 */
export function bindingOptions(script: ScriptRecord, around: Surroundings): WorkerBindings {
  const options: Options = {
    bindings: {},
    durableObjects: {},
    queueProducers: {},
    hyperdrives: {},
    serviceBindings: {},
    wrappedBindings: {},
    native: [],
  };
  for (const binding of script.bindings) add(options, binding, script, around);
  const { native, ...rest } = options;
  return { ...rest, unsafeBindings: nativeBindings(native), ...unboundObjects(script, options, around) };
}

function add(options: Options, binding: ScriptBinding, script: ScriptRecord, around: Surroundings): void {
  const { name } = binding;
  const refuse = (why?: string) => {
    Object.assign(options.wrappedBindings, { [name]: unavailableBinding(binding, why) });
  };
  const put = (into: object, value: unknown) => Object.assign(into, { [name]: value });
  switch (binding.type) {
    case "plain_text":
    case "secret_text":
      put(options.bindings, text.parse(binding).text);
      break;
    case "json":
      put(options.bindings, json.parse(binding).json);
      break;
    case "kv_namespace":
      options.native.push(around.storage.binding("kvNamespace", name, kv.parse(binding).namespace_id));
      break;
    case "r2_bucket":
      options.native.push(around.storage.binding("r2Bucket", name, bucket.parse(binding).bucket_name));
      break;
    case "analytics_engine":
      options.native.push(datasetBinding(name, dataset.parse(binding).dataset, around.hub));
      break;
    case "queue": {
      const { queue_name: queueName, delivery_delay: deliveryDelay } = queue.parse(binding);
      if (script.namespace !== undefined) refuse("queues reach scripts of the account only");
      else put(options.queueProducers, { queueName, ...(deliveryDelay === undefined ? {} : { deliveryDelay }) });
      break;
    }
    case "durable_object_namespace": {
      const { class_name: className, script_name: scriptName } = durableObject.parse(binding);
      if (scriptName === undefined || scriptName === script.name) {
        put(options.durableObjects, { ...ownObject(script, className, around) });
      } else if (around.neighbours.has(scriptName)) put(options.durableObjects, { className, scriptName });
      else refuse(`there is no script ${scriptName} beside this one`);
      break;
    }
    case "hyperdrive": {
      const record = around.store.get("hyperdrive", byId.parse(binding).id);
      if (record === undefined) refuse("its configuration does not exist");
      else put(options.hyperdrives, connectionString(record));
      break;
    }
    case "service": {
      const wanted = service.parse(binding);
      if (!around.neighbours.has(wanted.service)) refuse(`there is no script ${wanted.service} beside this one`);
      else put(options.serviceBindings, { name: wanted.service, entrypoint: wanted.entrypoint ?? SERVICE_ENTRYPOINT });
      break;
    }
    case "dispatch_namespace": {
      const wanted = namespace.parse(binding);
      if (wanted.outbound !== undefined) refuse("outbound Workers are not built");
      else put(options.wrappedBindings, dispatcherBinding(wanted.namespace));
      break;
    }
    default:
      refuse();
  }
}

function datasetBinding(name: string, to: string, hub: string): NativeBinding {
  const headers = [{ name: DATASET_HEADER, value: encodeURIComponent(to) }];
  return { type: "analyticsEngine", name, options: { address: `unix:${hub}`, headers } };
}

/** A class of the script's own. One that may have containers has an image once its application is there. */
function ownObject(script: ScriptRecord, className: string, { store, containers }: Surroundings) {
  const object = script.durable_objects.find((one) => one.class_name === className);
  const plain = { className, useSQLite: object?.sqlite ?? false };
  const { namespace, name } = script;
  const hasContainers = script.containers.some((one) => one.class_name === className);
  if (!hasContainers || namespace === undefined || object === undefined) return plain;
  const imageName = containerApplication(store, object.namespace_id)?.configuration.image;
  return {
    ...plain,
    unsafeUniqueKey: containers.uniqueKey({ namespace, name }, className),
    ...(imageName !== undefined && { container: { imageName } }),
  };
}

/** Classes that migrations made and no binding names still keep their storage. */
function unboundObjects(script: ScriptRecord, options: Options, around: Surroundings): WorkerBindings {
  const bound = new Set(Object.values(options.durableObjects).map((object) => object.className));
  return {
    additionalUnboundDurableObjects: script.durable_objects
      .filter((object) => !bound.has(object.class_name))
      .map((object) => ownObject(script, object.class_name, around)),
  };
}

/** The database's address with user and password, as a driver takes it. */
function connectionString({ origin }: HyperdriveRecord): string {
  const url = new URL(`${origin.scheme.replace("postgresql", "postgres")}://${origin.host}`);
  url.port = String(origin.port ?? 5432);
  url.username = encodeURIComponent(origin.user);
  url.password = encodeURIComponent(origin.password);
  url.pathname = `/${encodeURIComponent(origin.database)}`;
  return url.href;
}
