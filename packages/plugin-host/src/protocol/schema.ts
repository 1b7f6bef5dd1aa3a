import { UserError } from "../errors.ts";
import type { Provider } from "../provider.ts";

/**
 * A package schema that names the resources (pulumi: `pkg/codegen/schema`). Their properties are described by the
 * typed classes, which are written by hand.
 *
 * @throws when several providers share the host: the engine's question does not say which one it means.
 */
export function schemaOf(providers: readonly Provider[]): string {
  const [only] = providers;
  if (only === undefined || providers.length > 1) throw new UserError("a shared provider server answers no schema");
  const resources = Object.fromEntries(only.types.map((type) => [type, {}]));
  return JSON.stringify({ name: only.name, version: only.version, resources });
}
