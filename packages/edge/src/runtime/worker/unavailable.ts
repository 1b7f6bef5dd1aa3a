import type { WorkerDefinition, WrappedBinding } from "./definition.ts";

const UNAVAILABLE = "edge-unavailable";

const SOURCE = `
export default function (env) {
  const fail = () => {
    throw new Error("The binding " + env.name + " (" + env.type + ") is not supported by the edge" + env.why + ".");
  };
  return new Proxy(fail, {
    get: (_, key) => (typeof key === "symbol" || key === "then" || key === "toJSON" ? undefined : fail),
    apply: fail,
  });
}
`;

export function unavailableWorker(): WorkerDefinition {
  return { name: UNAVAILABLE, modules: true, script: SOURCE };
}

/**
 * Returns a binding that can be deployed but throws when it is used.
 *
 * @param why the end of the message, such as what is missing; may be empty
 */
export function unavailableBinding({ name, type }: { name: string; type: string }, why: string): WrappedBinding {
  return { scriptName: UNAVAILABLE, bindings: { name, type, why: why && `: ${why}` } };
}
