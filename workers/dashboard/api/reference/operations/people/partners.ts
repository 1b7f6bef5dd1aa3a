import { partnerRoutes } from "#workers/contracts/api/people/partners.ts";
import { IDS, onePage, partner, partnerStyle } from "../examples.ts";
import { section } from "../section.ts";

const params = { id: IDS.partner };
const ofPartner = { partner_id: IDS.partner };
const domain = {
  id: IDS.domain,
  hostname: "agents.northwind.example",
  verified_at: null,
  created_at: "2026-11-02T09:10:00.000Z",
};
const { colours } = partnerStyle;

export const partnerSection = section(
  partnerRoutes,
  "Partners",
  "A partner is a company that owns clients. Its partner roots manage these clients, and its branding appears in invitations and mails.",
  {
    listPartners: {
      description: "Returns all partners by slug, each with the number of its clients.",
      answer: onePage(partner),
    },
    getPartner: {
      description: "Returns a partner with the number of its clients.",
      params,
      answer: partner,
    },
    createPartner: {
      description:
        "Creates a partner without users and clients. Add its partner roots with `createUser`, and its clients with `createClient`.",
      body: { slug: "northwind", name: "Northwind Services" },
      answer: { ...partner, clients: 0, version: 1 },
      errors: { conflict: "The slug is in use by another partner." },
    },
    updatePartner: {
      description: "Changes the slug or name of a partner. Its clients, users and branding do not change.",
      params,
      body: { name: "Northwind Services" },
      answer: partner,
      errors: { conflict: "The slug is in use by another partner." },
    },
    deletePartner: {
      description:
        "Deletes a partner that has no clients. Its users and domains prevent the deletion, unless `cascade` is true, which deletes them too. The deletion cannot be undone.",
      params,
      query: { cascade: "true" },
      errors: {
        conflict:
          "The partner has clients, or has users or domains and `cascade` is not true. `details` has the counts.",
      },
    },
    getPartnerStyle: {
      description:
        "Returns the branding of a partner: display name, colours, address for help, and the URL of the logo.",
      params: ofPartner,
      answer: partnerStyle,
    },
    putPartnerStyle: {
      description:
        "Replaces the branding of a partner. An omitted or null field returns to its default. The logo does not change; set it with `putPartnerLogo`.",
      params: ofPartner,
      body: { display_name: "Northwind", colours, support_address: "help@northwind.example" },
      answer: partnerStyle,
    },
    previewPartnerStyle: {
      description:
        "Returns an invitation page or mail as HTML, with sample data and the given branding. Omitted values have their defaults, and the logo is the current one. The request stores nothing and sends no mail.",
      params: ofPartner,
      query: { page: "mail", display_name: "Northwind", accent: "#0b57d0" },
    },
    putPartnerLogo: {
      description:
        "Replaces the logo of a partner. The type is detected by the content, and an SVG with scripts or external references is rejected. The new logo has a new URL in `logo_url`.",
      params: ofPartner,
      answer: { ...partnerStyle, version: 4 },
    },
    deletePartnerLogo: {
      description: "Deletes the logo of a partner. Mails and pages then show the display name instead.",
      params: ofPartner,
    },
    getPartnerLogo: {
      description:
        "Returns the logo of a partner as an image, for mails and public pages. With `hash` the response can be cached forever. Requests are limited by network.",
      params: ofPartner,
      query: { hash: "9b1f0c7d" },
    },
    listPartnerDomains: {
      description: "Returns the hosts of a partner, newest first, with the time at which each was verified.",
      params: ofPartner,
      answer: onePage(domain),
    },
    addPartnerDomain: {
      description:
        "Records a host of a partner as unverified. The request changes no DNS record and does not route traffic to the host.",
      params: ofPartner,
      body: { hostname: "agents.northwind.example" },
      answer: domain,
      errors: { conflict: "The host belongs to a partner already, or is within the platform's own domain." },
    },
    removePartnerDomain: {
      description: "Removes a host from a partner. DNS records do not change.",
      params: { ...ofPartner, domain_id: IDS.domain },
    },
  },
);
