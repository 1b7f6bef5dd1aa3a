/** Partners, their branding and their hosts in the API. */
import * as z from "zod";
import { LOGOS_PATH } from "#domain/access/access-addresses.ts";
import { contrastRatio, isColour, READABLE, VISIBLE } from "#domain/contrast.ts";
import { instant } from "#domain/entities/entity.ts";
import { partner } from "#domain/entities/partner.ts";
import { slugFault } from "#domain/names/slug.ts";
import { supportAddress } from "../../branding.ts";
import { pageOf, pageQuery } from "../paging.ts";
import { ANYONE, BOTH_ROOTS, ROOT_ONLY, route, routes } from "../route.ts";
import { displayName } from "./display-name.ts";

const slug = z.string().check((context) => {
  const fault = slugFault(context.value);
  if (fault !== undefined) context.issues.push({ code: "custom", input: context.value, message: fault });
});

export type Partner = z.infer<typeof partner>;

const colour = z
  .string()
  .refine(isColour, "must be a colour, as #rrggbb")
  .meta({ description: "A colour, as #rrggbb.", example: "#0b57d0" });

/** Colours with enough contrast. */
export const colours = z
  .strictObject({ text: colour, background: colour, accent: colour })
  .superRefine(({ text, background, accent }, context) => {
    if (![text, background, accent].every(isColour)) return;
    for (const [name, value, least] of [
      ["text", text, READABLE],
      ["accent", accent, VISIBLE],
    ] as const) {
      const ratio = contrastRatio(value, background);
      if (ratio >= least) continue;
      const message = `has a contrast of ${ratio.toFixed(2)} to the background; choose colours with at least ${least}`;
      context.addIssue({ code: "custom", path: [name], message });
    }
  });

/** What invited users see of a branding. */
export const stylePreviews = ["invitation", "mail"] as const;
export type StylePreview = (typeof stylePreviews)[number];

export const partnerStyle = z.object({
  partner_id: z.uuid(),
  /** Default: the partner's name. */
  display_name: z.string(),
  /** Null: the platform's colours. */
  colours: colours.nullable(),
  /** E-mail address for help; null: the platform's. */
  support_address: z.string().nullable(),
  /** Path of the logo, which changes with the logo; null without one. */
  logo_url: z.string().nullable(),
  version: z.number().int(),
});
export type PartnerStyle = z.infer<typeof partnerStyle>;

export const logoTypes = ["image/png", "image/jpeg", "image/webp", "image/svg+xml"] as const;
export type LogoType = (typeof logoTypes)[number];
export const MAX_LOGO_BYTES = 256 * 1024;

const partnerDomain = z.object({
  id: z.uuid(),
  hostname: z.string(),
  /** When the ownership was verified; null before. */
  verified_at: instant.nullable(),
  created_at: instant,
});
export type PartnerDomain = z.infer<typeof partnerDomain>;

const HOSTNAME = /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/;

const byId = z.object({ id: z.uuid() });
const byPartner = z.object({ partner_id: z.uuid() });

export const partnerRoutes = routes("partners", {
  listPartners: route("get", "/partner", {
    summary: "List partners, by slug",
    callers: ROOT_ONLY,
    query: pageQuery,
    answer: pageOf(partner),
  }),
  getPartner: route("get", "/partner/:id", {
    summary: "Get a partner",
    callers: ROOT_ONLY,
    params: byId,
    answer: partner,
    versioned: true,
  }),
  createPartner: route("post", "/partner", {
    summary: "Create a partner",
    callers: ROOT_ONLY,
    body: z.strictObject({
      slug,
      /** Default: the slug. */
      name: displayName.optional(),
    }),
    answer: partner,
    status: 201,
    refusals: ["conflict"],
  }),
  updatePartner: route("put", "/partner/:id", {
    summary: "Update a partner: omitted fields keep their values",
    callers: ROOT_ONLY,
    params: byId,
    body: z.strictObject({ slug: slug.optional(), name: displayName.optional() }),
    answer: partner,
    refusals: ["conflict", "managed_by_git"],
    versioned: true,
  }),
  deletePartner: route("delete", "/partner/:id", {
    summary: "Delete a partner without clients; users and domains are deleted with it only with `cascade`",
    callers: ROOT_ONLY,
    params: byId,
    query: z.object({
      /** `true`: also deletes its people, roots and domains. */
      cascade: z.enum(["true", "false"]).default("false"),
    }),
    refusals: ["conflict", "managed_by_git"],
    versioned: true,
  }),
  getPartnerStyle: route("get", "/partner/:partner_id/style", {
    summary: "Get a partner's branding",
    callers: BOTH_ROOTS,
    params: byPartner,
    answer: partnerStyle,
    versioned: true,
  }),
  putPartnerStyle: route("put", "/partner/:partner_id/style", {
    summary: "Set a partner's branding: omitted fields get their defaults, the logo stays",
    callers: BOTH_ROOTS,
    params: byPartner,
    body: z.strictObject({
      display_name: displayName.nullish(),
      colours: colours.nullish(),
      support_address: supportAddress.nullish(),
    }),
    answer: partnerStyle,
    versioned: true,
  }),
  previewPartnerStyle: route("get", "/partner/:partner_id/style/preview", {
    summary: "Preview a branding with sample data: omitted fields have their defaults, the logo is the current one",
    callers: BOTH_ROOTS,
    params: byPartner,
    query: z.object({
      page: z.enum(stylePreviews).default("invitation"),
      display_name: displayName.optional(),
      text: colour.optional(),
      background: colour.optional(),
      accent: colour.optional(),
      support_address: supportAddress.optional(),
    }),
    produces: ["text/html"],
  }),
  putPartnerLogo: route("put", "/partner/:partner_id/logo", {
    summary: "Set a partner's logo: a PNG, JPEG, WebP or SVG, detected by its content",
    callers: BOTH_ROOTS,
    params: byPartner,
    upload: { types: logoTypes, maxBytes: MAX_LOGO_BYTES },
    answer: partnerStyle,
    versioned: true,
  }),
  deletePartnerLogo: route("delete", "/partner/:partner_id/logo", {
    summary: "Delete a partner's logo",
    callers: BOTH_ROOTS,
    params: byPartner,
    versioned: true,
  }),
  getPartnerLogo: route("get", `${LOGOS_PATH}/:partner_id`, {
    summary: "Get a partner's logo, without login: mails and public pages show it",
    callers: ANYONE,
    params: byPartner,
    query: z.object({
      /** The hash in `logo_url`. A response with it never changes. */
      hash: z.string().max(100).optional(),
    }),
    produces: logoTypes,
  }),
  listPartnerDomains: route("get", "/partner/:partner_id/domains", {
    summary: "List a partner's hosts, newest first",
    callers: BOTH_ROOTS,
    params: byPartner,
    query: pageQuery,
    answer: pageOf(partnerDomain),
  }),
  addPartnerDomain: route("post", "/partner/:partner_id/domains", {
    summary: "Add an unverified host to a partner",
    callers: ROOT_ONLY,
    params: byPartner,
    body: z.strictObject({
      hostname: z.string().trim().toLowerCase().regex(HOSTNAME, "must be a host name, such as agents.example.com"),
    }),
    answer: partnerDomain,
    status: 201,
    refusals: ["conflict"],
  }),
  removePartnerDomain: route("delete", "/partner/:partner_id/domains/:domain_id", {
    summary: "Remove a host from a partner",
    callers: ROOT_ONLY,
    params: byPartner.extend({ domain_id: z.uuid() }),
  }),
});
