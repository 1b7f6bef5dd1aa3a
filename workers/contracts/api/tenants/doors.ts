/** Doors, the public webhook endpoints of instances, and the inbox that stores their messages, in the API. */
import { webhookKinds } from "@tenantry/webhooks/kinds";
import * as z from "zod";
import { DEFAULT_OVERLAP_SECONDS, doorNameFault, MAX_OVERLAP_SECONDS } from "#domain/doors/door.ts";
import { door } from "#domain/entities/door.ts";
import { instant } from "#domain/entities/entity.ts";
import {
  deliveryFailure,
  INBOX_EXPORT_TYPE,
  inboxSelection,
  MAX_INBOX_PAGE,
  messageState,
} from "../../tenant/inbox.ts";
import { ROOTS_AND_ADMINS, route, routes } from "../route.ts";

export type Door = z.infer<typeof door>;

const ofInstance = z.object({ instance_id: z.uuid() });
const byId = z.object({ id: z.uuid() });
/** By name, as the kind of the door requires. */
const secretName = z.string().max(40);
const secretValue = z.string().max(4096);
const secrets = z.record(secretName, secretValue);
const overlap = z.number().int().min(0).max(MAX_OVERLAP_SECONDS).default(DEFAULT_OVERLAP_SECONDS);

/** Returned once: the key and the secrets are stored as a hash and encrypted. */
const revealed = {
  /** The address for the vendor, with the door's key. */
  url: z.url(),
  /** Secrets that the platform generated, by name. */
  generated: z.record(z.string(), z.string()),
};
export const createdDoor = door.extend(revealed);
/** `url` is null if only the secrets were replaced. */
export const rotatedDoor = door.extend({ ...revealed, url: revealed.url.nullable() });
export type RotatedDoor = z.infer<typeof rotatedDoor>;

const inboxMessage = z.object({
  id: z.uuid(),
  door: z.object({ id: z.uuid(), kind: z.string(), name: z.string() }),
  /** The vendor's ID of the event. */
  event_id: z.string(),
  /** Messages of one conversation are delivered in order; null: without order. */
  conversation: z.string().nullable(),
  state: messageState,
  bytes: z.number().int().nonnegative(),
  attempts: z.number().int().nonnegative(),
  received_at: instant,
  /** When the message entered its state or was last attempted. */
  changed_at: instant,
  /** Null unless it waits for another attempt. */
  next_attempt_at: instant.nullable(),
  /** Why the last attempt failed; null if none has. */
  failure: z.object({ reason: deliveryFailure, status: z.number().int().nullable() }).nullable(),
});
export type InboxEntry = z.infer<typeof inboxMessage>;

const inboxRefusals = ["conflict", "gateway_unavailable", "tenant_unavailable"] as const;
const changed = z.object({ changed: z.number().int().nonnegative() });

export const doorRoutes = routes("doors", {
  listDoors: route("get", "/api/instances/:instance_id/doors", {
    summary: "List an instance's doors",
    callers: ROOTS_AND_ADMINS,
    params: ofInstance,
    answer: z.object({
      data: z.array(door),
      /** How many doors the plan of the instance allows. */
      limit: z.number().int(),
    }),
  }),
  createDoor: route("post", "/api/instances/:instance_id/doors", {
    summary: "Create a door",
    callers: ROOTS_AND_ADMINS,
    params: ofInstance,
    body: z
      .strictObject({
        kind: z.enum(webhookKinds),
        name: door.shape.name,
        /** Those that the vendor issues. Others are generated. */
        secrets: secrets.default({}),
      })
      .check(({ value, issues }) => {
        const message = doorNameFault(value.name, value.kind);
        if (message !== undefined) issues.push({ code: "custom", input: value.name, path: ["name"], message });
      }),
    answer: createdDoor,
    status: 201,
    refusals: ["conflict", "limit_exceeded"],
    confidential: true,
  }),
  updateDoor: route("put", "/api/doors/:id", {
    summary: "Update a door",
    callers: ROOTS_AND_ADMINS,
    params: byId,
    body: z.strictObject({ name: door.shape.name.optional(), state: door.shape.state.optional() }),
    answer: door,
    refusals: ["conflict", "managed_by_git"],
    versioned: true,
  }),
  deleteDoor: route("delete", "/api/doors/:id", {
    summary: "Delete a door",
    callers: ROOTS_AND_ADMINS,
    params: byId,
    refusals: ["managed_by_git"],
    versioned: true,
  }),
  rotateDoor: route("post", "/api/doors/:id/rotate", {
    summary: "Rotate the key or the secrets of a door",
    callers: ROOTS_AND_ADMINS,
    params: byId,
    body: z
      .strictObject({
        what: z.enum(["key", "secrets"]),
        /** Replaces these, or removes those that are null; others stay. Default: generates every secret that the platform can generate. */
        secrets: z.record(secretName, secretValue.nullable()).optional(),
        /** How long the former key or secrets are accepted. */
        expire_former_in_seconds: overlap,
      })
      .refine(
        ({ what, secrets }) => what === "secrets" || secrets === undefined,
        "Specify secrets only to rotate the secrets.",
      ),
    answer: rotatedDoor,
    refusals: ["managed_by_git"],
    confidential: true,
    versioned: true,
  }),
  listInbox: route("get", "/api/instances/:instance_id/inbox", {
    summary: "List an instance's inbox",
    callers: ROOTS_AND_ADMINS,
    params: ofInstance,
    query: z.object({
      /** Default: pending and dead messages. */
      state: messageState.optional(),
      after: z.string().max(20).optional(),
      limit: z.coerce.number().int().min(1).max(MAX_INBOX_PAGE).default(50),
    }),
    answer: z.object({
      data: z.array(inboxMessage),
      pagination: z.object({ next: z.string().nullable() }),
      inbox: z.object({
        /** Queued messages, and those whose delivery is in progress. */
        pending: z.number().int(),
        dead: z.number().int(),
        /** Most messages, pending and dead together. */
        limit: z.number().int(),
        /** When the oldest pending message was received; null without one. */
        oldest_at: instant.nullable(),
      }),
    }),
    refusals: inboxRefusals,
  }),
  replayInbox: route("post", "/api/instances/:instance_id/inbox/replay", {
    summary: "Replay dead messages",
    callers: ROOTS_AND_ADMINS,
    params: ofInstance,
    body: inboxSelection,
    answer: changed,
    refusals: inboxRefusals,
  }),
  dropInbox: route("post", "/api/instances/:instance_id/inbox/drop", {
    summary: "Drop messages",
    callers: ROOTS_AND_ADMINS,
    params: ofInstance,
    body: inboxSelection,
    answer: changed,
    refusals: inboxRefusals,
  }),
  exportInbox: route("get", "/api/instances/:instance_id/inbox/export", {
    summary: "Export an instance's inbox",
    callers: ROOTS_AND_ADMINS,
    params: ofInstance,
    query: z.object({
      /** Default: pending and dead messages. */
      state: messageState.optional(),
    }),
    produces: [INBOX_EXPORT_TYPE],
    refusals: inboxRefusals,
  }),
});
