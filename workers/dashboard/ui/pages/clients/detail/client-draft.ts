/** What was typed of a client and is not saved, over what there is. */
import type { Client, clientRoutes } from "../../../../../contracts/api/clients.ts";
import type { Input } from "../../../api/ask.ts";

type Body = Input<typeof clientRoutes.updateClient>["body"];
type Values = Pick<Client, "name" | "status" | "billing_plan" | "canary" | "maintenance_window"> & {
  partner_id: string | null;
};
/** `version`: what was there when typing began. */
export type ClientDraft = Partial<Values> & { version?: number };

const presentOf = ({ name, status, billing_plan, canary, maintenance_window, partner }: Client): Values => ({
  name,
  status,
  billing_plan,
  canary,
  maintenance_window,
  partner_id: partner?.id ?? null,
});

export function valuesOf(client: Client, { version: _, ...typed }: ClientDraft): Values {
  return { ...presentOf(client), ...typed };
}

/** What of the draft is not so already. */
export function changesOf(client: Client, { version: _, ...typed }: ClientDraft): Omit<Body, "id"> {
  const present = new Map<string, unknown>(Object.entries(presentOf(client)));
  return Object.fromEntries(
    Object.entries(typed).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(present.get(name))),
  );
}
