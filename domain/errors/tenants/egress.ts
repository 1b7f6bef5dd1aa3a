/** Errors of policies of what a tenant's container may reach, and of requests that one refuses. */
import { defineErrors } from "../catalogue.ts";

/** Reasons for which a request is refused. The agent gets them with the code `egress_refused`. */
export const egressRefusalErrors = defineErrors({
  egress_control_host: {
    message: "{host} is a host of the platform, which agents may not reach.",
    remedy: "Use the tenant's own interfaces.",
  },
  egress_method: {
    message: "The policy allows {host}, but not with the method {method}.",
    remedy: "Use another method, or ask the tenant's administrator to allow this one.",
  },
  egress_not_listed: {
    message: "The policy does not list {host}.",
    remedy: "Ask the tenant's administrator to allow this host.",
  },
  egress_port: {
    message: "The policy allows {host}, but not its port {port}.",
    remedy: "Use another port, or ask the tenant's administrator to allow this one.",
  },
  egress_private_address: {
    message: "{host} is a private, local or reserved address, which agents may not reach.",
    remedy: "Use a public host.",
  },
  egress_scheme: {
    message: "Only HTTP and HTTPS requests that name a host are allowed.",
    remedy: "Use an address that begins with https:// or http://.",
  },
});

/** Reasons for which a policy cannot be saved. */
export const egressPolicyErrors = defineErrors({
  egress_channel_host_missing: {
    code: "invalid_request",
    message: "The channel {channel} needs {host}, which the policy does not allow.",
    remedy: "Add {host}, or delete the channel.",
  },
  egress_channel_without_http: {
    code: "invalid_request",
    message: "The channel {channel} does not use HTTP, and a policy with the mode allowlist stops it.",
    remedy: "Use the mode audit, or delete the channel.",
  },
  egress_entries_too_many: {
    code: "invalid_request",
    message: "A policy must have at most {most} entries, and this one has {count}.",
    remedy: "Replace hosts of one domain by *.DOMAIN.",
  },
  egress_entry_always_refused: {
    code: "invalid_request",
    message: "{host} is always refused: it is a private, local or reserved address, or a host of the platform.",
    remedy: "Delete the entry.",
  },
  egress_entry_duplicate: {
    code: "invalid_request",
    message: "{host} is listed twice with the same ports and methods.",
    remedy: "Delete one of both entries.",
  },
  egress_entry_host_invalid: {
    code: "invalid_request",
    message: "{host} is not a host.",
    remedy: "Use a host without scheme, port or path, such as api.example.com, *.example.com or 203.0.114.7.",
  },
  egress_entry_method_invalid: {
    code: "invalid_request",
    message: "The entry of {host} has the method {method}, which cannot be allowed.",
    remedy: "Use methods of HTTP, such as GET and POST, or omit them to allow all.",
  },
  egress_entry_port_invalid: {
    code: "invalid_request",
    message: "The entry of {host} has the port {port}, which is not a whole number from 1 to 65535.",
    remedy: "Correct the port, or omit ports to allow 80 and 443.",
  },
  egress_entry_too_wide: {
    code: "invalid_request",
    message: "{host} matches hosts of many owners.",
    remedy: "Name a domain of one owner, such as *.example.com.",
  },
});
