import { UserError } from "@tenantry/plugin-host";
import { errorText } from "#domain/errors/catalogue.ts";
import { providerErrors } from "#domain/errors/stack/provider.ts";

/**
 * Parses an id of several parts, such as `{accountId}/{groupId}`.
 * @param kind of resource, with its article
 * @throws UserError if the id has another form
 */
export function parseResourceId<Part extends string>(
  id: string,
  kind: string,
  parts: readonly Part[],
): Record<Part, string> {
  const values = id.split("/");
  if (values.length !== parts.length || values.includes("")) {
    const form = parts.map((part) => `{${part}}`).join("/");
    throw new UserError(errorText(providerErrors.resource_id_invalid, { id, kind, form }));
  }
  return Object.fromEntries(parts.map((part, index) => [part, values[index]])) as Record<Part, string>;
}
