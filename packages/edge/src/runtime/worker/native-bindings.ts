/**
 * A Miniflare plugin for bindings that workerd knows and Miniflare's options cannot express: key-value namespaces,
 * buckets and datasets served by another process, and the objects in which Miniflare itself stores them.
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

const PLUGIN = "tenantry-native";
const given = z.array(binding).default([]);

/** What goes into a Worker's `unsafeBindings`. */
export function nativeBindings(bindings: NativeBinding[]) {
  const plugin = { package: fileURLToPath(import.meta.url), name: PLUGIN };
  return bindings.map((native) => ({ ...native, plugin }));
}

// Services of all Workers of a process share one set of names.
function serviceName(native: NativeBinding, workerIndex: number): string {
  return `tenantry:${workerIndex}:${native.name}`;
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
      given.parse(options).flatMap((native) =>
        native.type === "object"
          ? []
          : [
              {
                name: serviceName(native, workerIndex),
                external: {
                  address: native.options.address,
                  http: { injectRequestHeaders: native.options.headers },
                },
              },
            ],
      ),
  },
};
