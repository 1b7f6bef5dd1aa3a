/** What was typed of a client and is not saved, over what there is. */
import type { Client, clientRoutes } from "#workers/contracts/api/clients.ts";
import type { Input } from "#workers/dashboard/ui/api/ask.ts";
import type { Window } from "./window-facts.tsx";

type Body = Omit<Input<typeof clientRoutes.updateClient>["body"], "id">;

/** A window as it is typed: its hours may be no number yet. */
export type TypedWindow = Omit<Window, "hours"> & { hours: string };
export type ClientValues = Pick<Client, "name" | "status" | "billing_plan" | "canary"> & {
  partner_id: string | null;
  /** Null: at any time. */
  maintenance_window: TypedWindow | null;
};

const presentOf = ({
  name,
  status,
  billing_plan,
  canary,
  maintenance_window: window,
  partner,
}: Client): ClientValues => ({
  name,
  status,
  billing_plan,
  canary,
  maintenance_window: window && { ...window, hours: String(window.hours) },
  partner_id: partner?.id ?? null,
});

export const valuesOf = (client: Client, typed: Partial<ClientValues>): ClientValues => ({
  ...presentOf(client),
  ...typed,
});

/** What of the draft is not so already. */
export function changesOf(client: Client, typed: Partial<ClientValues>): Body {
  const present = new Map<string, unknown>(Object.entries(presentOf(client)));
  const { maintenance_window: window, ...rest }: Partial<ClientValues> = Object.fromEntries(
    Object.entries(typed).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(present.get(name))),
  );
  return {
    ...rest,
    ...(window !== undefined && { maintenance_window: window && { ...window, hours: Number(window.hours) } }),
  };
}

const LONGEST_HOURS = 24;

/** Why a window is not open for so long; undefined where it may be. */
export const hoursFault = (text: string): string | undefined =>
  /^\d{1,2}$/.test(text) && Number(text) >= 1 && Number(text) <= LONGEST_HOURS
    ? undefined
    : `is a whole number of hours, from 1 to ${LONGEST_HOURS}`;
