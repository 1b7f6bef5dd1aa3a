/** Cloudflare's binding: `get(name, args, options).fetch(request)`. */
import { DISPATCH_ERROR_HEADER, DISPATCH_HEADER } from "#http/internal-headers.ts";
import type { WorkerDefinition, WrappedBinding } from "#runtime/worker/definition.ts";
import { BACKGROUND } from "#runtime/worker/entry-module.ts";

const DISPATCHER = "edge-dispatcher";

const SOURCE = `
export default function (env) {
  return {
    get(script, args, options = {}) {
      if (typeof script !== "string" || script === "") throw new TypeError("The name of a Worker is missing.");
      if (options.outbound !== undefined) throw new Error("Outbound Workers are not supported by the local edge.");
      return {
        async fetch(input, init) {
          const request = new Request(input, init);
          const { namespace } = env;
          const { url, cf } = request;
          const background = globalThis[Symbol.for("${BACKGROUND}")]?.() === true;
          const asked = { namespace, script, limits: options.limits, url, cf, background };
          const sent = new Request(new Request("http://cell/", request), { redirect: "manual" });
          sent.headers.set("${DISPATCH_HEADER}", encodeURIComponent(JSON.stringify(asked)));
          const response = await env.HUB.fetch(sent);
          const error = response.headers.get("${DISPATCH_ERROR_HEADER}");
          if (error !== null) throw new Error(decodeURIComponent(error));
          return response;
        },
      };
    },
  };
}
`;

/** The Worker behind all dispatch bindings of a process. @param hub path of the hub's socket */
export function dispatcherWorker(hub: string): WorkerDefinition {
  return {
    name: DISPATCHER,
    modules: true,
    script: SOURCE,
    serviceBindings: { HUB: { external: { address: `unix:${hub}`, http: {} } } },
  };
}

export function dispatcherBinding(namespace: string): WrappedBinding {
  return { scriptName: DISPATCHER, bindings: { namespace } };
}
