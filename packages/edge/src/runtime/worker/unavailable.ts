/** A binding that cannot run on one machine: it deploys, and says so in one sentence as soon as it is used. */
import type { WorkerDefinition, WrappedBinding } from "./definition.ts";

const UNAVAILABLE = "tenantry-unavailable";

const SOURCE = `
export default function (env) {
  const fail = () => {
    throw new Error("The binding " + env.name + " (" + env.type + ") does not run on the local edge" + env.why + ".");
  };
  return new Proxy(fail, {
    get: (_, key) => (typeof key === "symbol" || key === "then" || key === "toJSON" ? undefined : fail),
    apply: fail,
  });
}
`;

/** The Worker that {@link unavailableBinding} wraps; one serves all bindings of a process. */
export function unavailableWorker(): WorkerDefinition {
  return { name: UNAVAILABLE, modules: true, script: SOURCE };
}

/** @param why an addition to the message, such as what is missing; may be empty */
export function unavailableBinding(binding: { name: string; type: string }, why: string): WrappedBinding {
  const reason = why === "" ? "" : `: ${why}`;
  return { scriptName: UNAVAILABLE, bindings: { name: binding.name, type: binding.type, why: reason } };
}
