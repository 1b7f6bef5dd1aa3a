import * as z from "zod";
import { bindingType } from "../../binding.ts";
import { dispatcherBinding } from "./dispatcher.ts";

export const dispatchNamespaceBinding = bindingType(
  { namespace: z.string().min(1), outbound: z.unknown().optional() },
  {
    missing: ({ namespace }, store) =>
      store.get("dispatch_namespace", namespace) === undefined
        ? [100119, `Dispatch namespace '${namespace}' not found.`]
        : undefined,
    connect: ({ namespace, outbound }) =>
      outbound === undefined
        ? { option: "wrappedBindings", value: dispatcherBinding(namespace) }
        : { unavailable: "outbound Workers are not supported" },
  },
);
