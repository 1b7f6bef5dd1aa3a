import * as z from "zod";
import { SERVICE_ENTRYPOINT } from "#runtime/worker/entry-module.ts";
import { bindingType } from "../../binding.ts";

const text = { text: z.string() };

export const textBinding = bindingType(text, {
  connect: (binding) => ({ option: "bindings", value: binding.text }),
});

export const secretBinding = bindingType(text, {
  answer: ({ name, type }) => ({ name, type }),
  connect: (binding) => ({ option: "bindings", value: binding.text }),
});

export const jsonBinding = bindingType(
  { json: z.json() },
  { connect: (binding) => ({ option: "bindings", value: binding.json }) },
);

export const serviceBinding = bindingType(
  { service: z.string().min(1), entrypoint: z.string().exactOptional() },
  {
    missing: ({ name, service }, store, script) =>
      service === script.id || store.get("script", service) !== undefined
        ? undefined
        : [10143, `Service binding '${name}' references Worker '${service}' which was not found.`],
    connect: ({ service, entrypoint }, _script, { neighbours }) =>
      neighbours.has(service)
        ? { option: "serviceBindings", value: { name: service, entrypoint: entrypoint ?? SERVICE_ENTRYPOINT } }
        : { unavailable: `there is no script ${service} in this process` },
  },
);

/** Refers to the previous version's binding; never stored. */
export const inheritedBinding = bindingType({ old_name: z.string().min(1).exactOptional() }, {});
