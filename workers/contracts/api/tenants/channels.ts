/** Channels, bots of messengers that are connected to instances, in the API. */
import * as z from "zod";
import { valueFaults } from "#domain/channels/channel.ts";
import { channelKinds, type FieldName, fieldNames } from "#domain/channels/kinds.ts";
import { channel } from "#domain/entities/channel.ts";
import { registrations } from "../../channel-vendors.ts";
import { ROOTS_AND_ADMINS, route, routes } from "../route.ts";
import { channelConnection } from "./channel-connection.ts";

export type Channel = z.infer<typeof channel>;

const byId = z.object({ id: z.uuid() });
/** Spaces around a pasted text are removed. */
const pasted = z.string().trim().min(1).max(4096);
/** Values of a form; see `domain/channels/kinds.ts` for those of each kind. */
const values = Object.fromEntries(fieldNames.map((name) => [name, pasted.optional()])) as Record<
  FieldName,
  z.ZodOptional<typeof pasted>
>;

/** Where the vendor sends the bot's webhooks. */
export const channelWebhook = z.object({
  registration: z.enum(registrations),
  /** What the vendor reports of its last request to the door; null without a fault. */
  error: z.string().nullable(),
});
export type ChannelWebhook = z.infer<typeof channelWebhook>;

/** What became of messages to the bot. `none`: no request has arrived, or none that the inbox still lists. */
export const firstMessage = z.enum(["none", "queued", "delivering", "accepted", "dead"]);

export const channelTest = z.object({
  channel,
  /** Null for a socket channel. */
  webhook: channelWebhook.nullable(),
  /** Of a socket channel; null for others, and if the tenant does not report it. */
  connection: channelConnection.nullable(),
  message: firstMessage,
  /** What the owner does next; empty if the channel works. */
  steps: z.array(z.string()),
});
export type ChannelTest = z.infer<typeof channelTest>;

export const createdChannel = channel.extend({
  /** The address for the vendor. Returned once. Null for a socket channel. */
  url: z.url().nullable(),
  steps: z.array(z.string()),
});

const vendorRefusals = ["limit_exceeded", "tenant_unavailable"] as const;

export const channelRoutes = routes("channels", {
  listChannels: route("get", "/api/instances/:instance_id/channels", {
    summary: "List an instance's channels",
    callers: ROOTS_AND_ADMINS,
    params: z.object({ instance_id: z.uuid() }),
    answer: z.object({ data: z.array(channel) }),
  }),
  createChannel: route("post", "/api/instances/:instance_id/channels", {
    summary: "Connect a channel",
    callers: ROOTS_AND_ADMINS,
    params: z.object({ instance_id: z.uuid() }),
    body: z
      .strictObject({
        kind: z.enum(channelKinds),
        ...values,
        /** Disconnects the bot from another instance that the caller has access to. */
        move: z.boolean().default(false),
        /** Adds hosts that the channel needs to the tenant's egress policy. */
        allow_hosts: z.boolean().default(false),
      })
      .check(({ value, issues }) => {
        for (const { path, message } of valueFaults(value.kind, value)) {
          issues.push({ code: "custom", input: undefined, path: [path], message });
        }
      }),
    answer: createdChannel,
    status: 201,
    refusals: ["conflict", ...vendorRefusals],
    confidential: true,
  }),
  replaceChannelToken: route("put", "/api/channels/:id/token", {
    summary: "Replace the token of a channel",
    callers: ROOTS_AND_ADMINS,
    params: byId,
    /** Omitted values are unchanged. */
    body: z
      .strictObject(values)
      .refine((given) => Object.values(given).some((value) => value !== undefined), "pass at least one value"),
    answer: channel,
    refusals: ["conflict", ...vendorRefusals],
    versioned: true,
  }),
  checkChannel: route("post", "/api/channels/:id/check", {
    summary: "Check the token of a channel",
    callers: ROOTS_AND_ADMINS,
    params: byId,
    answer: channel,
    refusals: ["conflict", ...vendorRefusals],
  }),
  testChannel: route("post", "/api/channels/:id/test", {
    summary: "Test a channel",
    callers: ROOTS_AND_ADMINS,
    params: byId,
    answer: channelTest,
    refusals: ["conflict", "gateway_unavailable", ...vendorRefusals],
  }),
  deleteChannel: route("delete", "/api/channels/:id", {
    summary: "Delete a channel",
    callers: ROOTS_AND_ADMINS,
    params: byId,
    answer: z.object({
      /** What the owner does at the vendor by hand. */
      remaining: z.array(z.string()),
    }),
    versioned: true,
  }),
});
