import * as z from "zod";
import { client as clientEntity } from "#domain/entities/client.ts";
import { partner as partnerEntity } from "#domain/entities/partner.ts";
import { slugFault } from "#domain/names/slug.ts";
import { clientFieldShape } from "#domain/settings/client.ts";
import { egressSetting } from "#domain/settings/egress.ts";
import { doors } from "./doors.ts";

const { name, billing_plan, status } = clientEntity.shape;

const slug = clientEntity.shape.slug
  .check((context) => {
    const fault = slugFault(context.value);
    if (fault !== undefined)
      context.issues.push({
        code: "custom",
        input: context.value,
        message: `slug ${JSON.stringify(context.value)} ${fault}`,
      });
  })
  .describe("DNS label of at most 59 characters, in staging 55; names the tenant's host, script and bucket.");

const egress = (whose: string) =>
  egressSetting
    .nullable()
    .optional()
    .describe(
      `What ${whose} may reach, unless the platform is stricter; null: it states nothing. Default: as it is in the database.`,
    );

export const partner = z.strictObject({
  slug,
  name: partnerEntity.shape.name.min(1).describe("Name shown to people."),
  style: z.record(z.string(), z.unknown()).default({}).describe("Custom branding. Default: none."),
  egress: egress("the containers of its clients"),
});

const instance = z.strictObject({
  aiGateway: z
    .string()
    .min(1)
    .optional()
    .describe("AI gateway to bind. Default: chosen from the pool, else a dedicated one."),
  image: z
    .string()
    .min(1)
    .optional()
    .describe("Image of the gateway's container that this tenant is pinned to. Default: the platform's."),
  tokenVersion: z
    .int()
    .positive()
    .default(1)
    .describe("Raise it by one to replace the gateway's token with the next run; restart the tenant then. Default: 1."),
  doors,
});

export const client = z.strictObject({
  slug,
  name: name.min(1).describe("Name shown to people."),
  partner: z.string().optional().describe("Slug of the partner it belongs to. Default: none, an internal client."),
  plan: billing_plan.describe("Billing plan."),
  status: status.default("active").describe("Whether it takes traffic. Default: active."),
  ...clientFieldShape,
  egress: egress("its container"),
  instances: z
    .array(instance)
    .length(1, {
      error: ({ input }) =>
        `a client has exactly one instance, not ${(input as unknown[]).length}; declare another client`,
    })
    .default([{ tokenVersion: 1, doors: [] }])
    .describe("Its one instance. Default: one with defaults."),
});
