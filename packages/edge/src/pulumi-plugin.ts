/** A replacement of the Pulumi plugin `cloudflare`, for machines that cannot download it. */
export { pluginDirectory } from "./cloudflare/plugin/executable.ts";
export { cloudflareProvider as cloudflare } from "./cloudflare/plugin/provider.ts";
