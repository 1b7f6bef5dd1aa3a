/** Errors of partners, their logos and domains. */
import { defineErrors } from "../catalogue.ts";

export const partnerErrors = defineErrors({
  logo_not_an_image: {
    code: "invalid_request",
    message: "The file is not an image.",
    remedy: "Send a PNG, JPEG, WebP or SVG.",
  },
  logo_not_found: {
    code: "not_found",
    message: "Logo not found.",
    remedy: "Upload a logo first.",
  },
  logo_not_plain_drawing: {
    code: "invalid_request",
    message: "The logo {fault}.",
    remedy: "Send a plain drawing, or a PNG, JPEG or WebP.",
  },
  partner_domain_not_found: {
    code: "not_found",
    message: "Host not found.",
    remedy: "List the partner's domains to choose one.",
  },
  partner_domain_of_platform: {
    code: "conflict",
    message: "The platform's domain is reserved for tenants.",
    remedy: "Choose a host of the partner's own domain.",
  },
  partner_has_clients: {
    code: "conflict",
    message: "The partner {slug} has clients.",
    remedy: "Move them to another partner or delete them first.",
  },
  partner_has_dependents: {
    code: "conflict",
    message: "The partner {slug} has users or domains.",
    remedy: "Send cascade=true to delete them too.",
  },
  partner_not_found: {
    code: "not_found",
    message: "Partner not found.",
    remedy: "Check its ID, and that your role has access to it.",
  },
});
