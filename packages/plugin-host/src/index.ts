/** Write a Pulumi provider in TypeScript. See the README for a tutorial. */
export type { Failure } from "./check.ts";
export { type Change, changes, same } from "./diff.ts";
export { type ErrorMessage, explain, PartialError, sentence, UserError, type Wording } from "./errors.ts";
export { runPlugin } from "./plugin.ts";
export { hasUnknown, isObject, type Properties, UNKNOWN } from "./properties.ts";
export { type ProcessVariables, type Provider, type ProviderDefinition, provider } from "./provider.ts";
export {
  type Found,
  type Known,
  type Replacement,
  type ReplaceOrder,
  type Resource,
  type ResourceDefinition,
  resource,
} from "./resource.ts";
export type { Run } from "./run.ts";
export { PORT_VARIABLE, type ProviderServer, pluginEnvironment, startServer } from "./server.ts";
