/** What was typed of a client and is not saved, over what there is. */
import type { Client, clientRoutes } from "#workers/contracts/api/tenants/clients.ts";
import type { Input } from "#workers/dashboard/ui/api/ask.ts";
import { type TypedFields, typedFields, untyped } from "./field-values.ts";

type Body = Omit<Input<typeof clientRoutes.updateClient>["body"], "id">;

export type ClientValues = Pick<Client, "name" | "status" | "billing_plan"> &
  TypedFields & {
    partner_id: string | null;
  };

const presentOf = ({ name, status, billing_plan, partner, ...rest }: Client): ClientValues => ({
  ...typedFields(rest),
  name,
  status,
  billing_plan,
  partner_id: partner?.id ?? null,
});

export const valuesOf = (client: Client, typed: Partial<ClientValues>): ClientValues => ({
  ...presentOf(client),
  ...typed,
});

/** What of the draft is not so already. */
export function changesOf(client: Client, typed: Partial<ClientValues>): Body {
  const present = new Map<string, unknown>(Object.entries(presentOf(client)));
  return Object.fromEntries(
    Object.entries(typed)
      .filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(present.get(name)))
      .map(([name, value]) => [name, untyped(name, value)]),
  );
}
