/** Errors of channels. */
import { defineErrors } from "../catalogue.ts";

export const channelErrors = defineErrors({
  channel_bot_connected: {
    code: "conflict",
    message: "The bot {bot} is connected to the instance of {slug}.",
    remedy: "Pass `move` to move it here, or delete the channel there first.",
  },
  channel_credentials_unreadable: {
    code: "conflict",
    message: "The token of the bot {bot} cannot be decrypted.",
    remedy: "Delete the channel and connect it again.",
  },
  channel_discord_intent_missing: {
    code: "invalid_request",
    message: "The bot {bot} may not read messages: its Message Content Intent is off.",
    remedy:
      "In the Discord Developer Portal, open the page Bot of the application, turn on Message Content Intent, and retry.",
  },
  channel_googlechat_app_missing: {
    code: "invalid_request",
    message: "The service account's project has no Google Chat app.",
    remedy: "In the Google Cloud console, enable the Google Chat API of the project, configure the app, and retry.",
  },
  channel_hosts_bound: {
    code: "conflict",
    message: "{channel} needs {hosts}, which the egress policy of the partner or the platform does not allow.",
    remedy: "Ask an operator to add the hosts to that policy.",
  },
  channel_hosts_not_listed: {
    code: "conflict",
    message: "{channel} needs {hosts}, which the egress policy of the tenant does not allow.",
    remedy: "Pass `allow_hosts` to add the hosts to the policy.",
  },
  channel_not_found: {
    code: "not_found",
    message: "Channel not found.",
    remedy: "Check its ID, and that your role has access to it.",
  },
  channel_of_door: {
    code: "conflict",
    message: "The door {name} belongs to a channel, whose vendor and gateway have its key and secrets.",
    remedy: "Replace the token of the channel, or delete the channel and connect it again.",
  },
  channel_token_of_other_bot: {
    code: "conflict",
    message: "The token belongs to {other}, but the channel to {bot}.",
    remedy: "Pass a token of the same bot, or delete the channel and connect the other bot.",
  },
  channel_token_rejected: {
    code: "invalid_request",
    message: "{vendor} rejects the token: it is wrong, expired or revoked.",
    remedy: "Copy the present token at the vendor, or create a new one there.",
  },
  channel_vendor_busy: {
    code: "limit_exceeded",
    message: "{vendor} limits the number of requests.",
    remedy: "Retry after the seconds in `Retry-After`.",
  },
  channel_vendor_no_response: {
    code: "tenant_unavailable",
    message: "{vendor} did not respond within {seconds} seconds.",
    remedy: "Nothing was changed. Retry in a minute.",
  },
  channel_vendor_response_unknown: {
    code: "tenant_unavailable",
    message: "{vendor} sent an unexpected response with status {status}.",
    remedy: "Nothing was changed. Retry in a minute, and check the status page of the vendor.",
  },
  channel_webhook_elsewhere: {
    code: "conflict",
    message: "{vendor} sends the messages of {bot} to another system.",
    remedy: "Disconnect the bot there, and {registration}. If it is used there, delete the channel.",
  },
  channel_webhook_missing: {
    code: "conflict",
    message: "{vendor} sends the messages of {bot} nowhere: its webhook was deleted.",
    remedy: "To receive them, {registration}. Else delete the channel.",
  },
  channel_without_http: {
    code: "conflict",
    message: "{channel} does not use HTTP, and the egress policy has the mode allowlist, which stops it.",
    remedy: "Change the mode to audit first.",
  },
});
