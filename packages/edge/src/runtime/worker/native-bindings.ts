/**
 * A Miniflare plugin for bindings that workerd supports and Miniflare's options do not: key-value namespaces, buckets and datasets of
 * another process, and the objects in which Miniflare stores them.
 */
import { fileURLToPath } from "node:url";
import * as z from "zod";

const header = z.object({ name: z.string(), value: z.string() });
const remote = z.object({ address: z.string(), headers: z.array(header) });
const object = z.object({ service: z.string(), className: z.string() });
const binding = z.discriminatedUnion("type", [
  z.object({ type: z.literal("kvNamespace"), name: z.string(), options: remote }),
  z.object({ type: z.literal("r2Bucket"), name: z.string(), options: remote }),
  z.object({ type: z.literal("analyticsEngine"), name: z.string(), options: remote }),
  z.object({ type: z.literal("object"), name: z.string(), options: object }),
]);
export type NativeBinding = z.infer<typeof binding>;

const PLUGIN = "edge-native";
const given = z.array(binding).default([]);

/** Returns the `unsafeBindings` of a Worker. */
export function nativeBindings(bindings: NativeBinding[]) {
  const plugin = { package: fileURLToPath(import.meta.url), name: PLUGIN };
  return bindings.map((native) => ({ ...native, plugin }));
}

// Services of all Workers of a process share a namespace.
function serviceName(native: NativeBinding, workerIndex: number): string {
  return `edge:${workerIndex}:${native.name}`;
}

/** Read by Miniflare. */
export const plugins = {
  [PLUGIN]: {
    options: z.unknown(),
    getBindings: (options: unknown, workerIndex: number) =>
      given.parse(options).map((native) =>
        native.type === "object"
          ? {
              name: native.name,
              durableObjectNamespace: { serviceName: native.options.service, className: native.options.className },
            }
          : { name: native.name, [native.type]: { name: serviceName(native, workerIndex) } },
      ),
    getNodeBindings: () => ({}),
    getServices: ({ options, workerIndex }: { options: unknown; workerIndex: number }) =>
      given.parse(options).flatMap((native) => {
        if (native.type === "object") return [];
        const { address, headers } = native.options;
        const external = { address, http: { injectRequestHeaders: headers } };
        return [{ name: serviceName(native, workerIndex), external }];
      }),
  },
};
