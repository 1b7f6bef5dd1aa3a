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
  logo_attribute_forbidden: {
    code: "invalid_request",
    message: "The logo has the attribute {name}.",
    remedy: "Send a plain drawing, or a PNG, JPEG or WebP.",
  },
  logo_element_forbidden: {
    code: "invalid_request",
    message: "The logo has the element {name}.",
    remedy: "Send a plain drawing, or a PNG, JPEG or WebP.",
  },
  logo_instruction_forbidden: {
    code: "invalid_request",
    message: "The logo has an instruction.",
    remedy: "Send a plain drawing, or a PNG, JPEG or WebP.",
  },
  logo_malformed: {
    code: "invalid_request",
    message: "The logo is neither a picture nor well-formed XML.",
    remedy: "Send a plain drawing, or a PNG, JPEG or WebP.",
  },
  logo_namespace_forbidden: {
    code: "invalid_request",
    message: "The logo has elements of another namespace.",
    remedy: "Send a plain drawing, or a PNG, JPEG or WebP.",
  },
  logo_nested_too_deeply: {
    code: "invalid_request",
    message: "The logo is nested too deeply.",
    remedy: "Send a plain drawing, or a PNG, JPEG or WebP.",
  },
  logo_not_svg: {
    code: "invalid_request",
    message: "The logo is not an SVG.",
    remedy: "Send a plain drawing, or a PNG, JPEG or WebP.",
  },
  logo_reference_forbidden: {
    code: "invalid_request",
    message: "The logo has an attribute {name} that refers to something outside of it.",
    remedy: "Send a plain drawing, or a PNG, JPEG or WebP.",
  },
  logo_type_forbidden: {
    code: "invalid_request",
    message: "The logo has a document type or an instruction.",
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
