/** Channels: bots of messengers that are connected to a tenant. */
import {
  type ChannelKind,
  type ChannelValues,
  type FieldName,
  fieldNames,
  fieldsOf,
  messengerOf,
  termsOf,
} from "./kinds.ts";

/** Returns faults of pasted values, without the values. @param isReplacement whether omitted values stay as they are */
export function valueFaults(
  kind: ChannelKind,
  values: ChannelValues,
  isReplacement = false,
): { path: FieldName; message: string }[] {
  const { label } = termsOf(kind);
  const fields = new Map(fieldsOf(kind));
  return fieldNames.flatMap((path) => {
    const field = fields.get(path);
    const value = values[path];
    if (value === undefined) {
      const isMissing = field !== undefined && field.optional !== true && !isReplacement;
      return isMissing ? [{ path, message: `is required: the ${lowerFirst(field.label)} of ${label}` }] : [];
    }
    if (field === undefined) return [{ path, message: `is not used: ${label} has none that is entered here` }];
    return field.form.test(value) ? [] : [{ path, message: field.fault }];
  });
}

const lowerFirst = (text: string) => `${text.charAt(0).toLowerCase()}${text.slice(1)}`;

/** Returns a form's values for one place, under their names there. */
export function valuesFor(
  kind: ChannelKind,
  values: ChannelValues,
  place: "secrets" | "settings" | "door",
): Record<string, string> {
  return Object.fromEntries(
    fieldsOf(kind).flatMap(([name, field]) => {
      const value = values[name];
      const as = field.place === place ? field.as : place === "door" ? field.doorAs : undefined;
      return as !== undefined && value !== undefined ? [[as, value]] : [];
    }),
  );
}

/** `sent`: the tenant has the credentials of a socket channel, and its status says whether the channel is online. */
export const channelStates = [
  "pushing",
  "push_failed",
  "token_rejected",
  "webhook_lost",
  "waiting_for_first_message",
  "connected",
  "sent",
] as const;
export type ChannelState = (typeof channelStates)[number];

/** Faults that are stored; each is a state. `webhook_lost`: the vendor sends the bot's messages nowhere, or to another system. */
export const channelFaults = ["push_failed", "token_rejected", "webhook_lost"] as const;
export type ChannelFault = (typeof channelFaults)[number];

/** Returns a channel's state. */
export function channelState(row: {
  kind: ChannelKind;
  fault: ChannelFault | null;
  pushed_at: Date | null;
  connected_at: Date | null;
}): ChannelState {
  if (row.fault !== null) return row.fault;
  if (row.pushed_at === null) return "pushing";
  if (termsOf(row.kind).transport === "socket") return "sent";
  return row.connected_at === null ? "waiting_for_first_message" : "connected";
}

/** Returns a text for a bot. */
export const ofBot = (text: string, bot: string): string => text.replaceAll("{bot}", () => bot);

/** Returns the values of errors of a bot's webhook. */
export function webhookValues(kind: ChannelKind, bot: string): { vendor: string; bot: string; registration: string } {
  const { label: vendor, registersItself } = termsOf(kind);
  const registration = registersItself
    ? "restart the gateway, which registers the webhook"
    : `enter the address of the channel at ${vendor}`;
  return { vendor, bot, registration };
}

/** Returns a free name for a channel's door: its messenger, or the messenger with a number. */
export function freeDoorName(kind: ChannelKind, taken: readonly string[]): string {
  const messenger = messengerOf(kind);
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? messenger : `${messenger}-${number}`;
    if (!taken.includes(name)) return name;
  }
}
