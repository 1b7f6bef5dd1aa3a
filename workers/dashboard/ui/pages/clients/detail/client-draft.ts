import type { Client, clientRoutes } from "#workers/contracts/api/tenants/clients.ts";
import type { Input } from "#workers/dashboard/ui/api/ask.ts";
import { parseFieldValue, type TypedFields, typedFields } from "./field-values.ts";

type Body = Omit<Input<typeof clientRoutes.updateClient>["body"], "id">;

export type ClientValues = Pick<Client, "name" | "status" | "billing_plan"> &
  TypedFields & { partner_id: string | null };

const currentOf = ({ name, status, billing_plan, partner, ...rest }: Client): ClientValues => ({
  ...typedFields(rest),
  name,
  status,
  billing_plan,
  partner_id: partner?.id ?? null,
});

export const valuesOf = (client: Client, edits: Partial<ClientValues>): ClientValues => ({
  ...currentOf(client),
  ...edits,
});

/** Returns the edits that differ from the client, as the API takes them. */
export function changesOf(client: Client, edits: Partial<ClientValues>): Body {
  const current = new Map<string, unknown>(Object.entries(currentOf(client)));
  return Object.fromEntries(
    Object.entries(edits)
      .filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(current.get(name)))
      .map(([name, value]) => [name, parseFieldValue(name, value)]),
  );
}
