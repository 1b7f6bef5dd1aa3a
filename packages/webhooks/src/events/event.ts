import * as z from "zod";
import type { Acknowledgement } from "../terms.ts";
import type { WebhookRequest } from "../verdict.ts";

export interface Event {
  /** The vendor's ids. Several make one id of the batch, whatever their order. */
  ids?: readonly string[];
  conversation?: string | undefined;
  acknowledgement?: Acknowledgement;
}

/** Returns the event, the response to a challenge, or `undefined` if the body is malformed. */
export type Reader = (request: WebhookRequest) => Event | { answer: Acknowledgement } | undefined;

/** A field that the event is complete without: what does not fit is missing. */
export const maybe = <T extends z.ZodType>(schema: T) => schema.optional().catch(undefined);
export const text = z.string().min(1);
export const id = z.union([text, z.int()]).transform(String);

/** Returns the parts that exist, with colons between them. Without the first there is no name. */
export function named(first: string | undefined, ...others: (string | undefined)[]): string | undefined {
  if (first === undefined) return undefined;
  return [first, ...others.filter((part) => part !== undefined)].join(":");
}

/** Returns all ids, or none if one is missing: a part of them does not identify the batch. */
export function allOf(ids: readonly (string | undefined)[]): readonly string[] {
  const known = ids.filter((one) => one !== undefined);
  return known.length === ids.length ? known : [];
}
