/** A stand-in for the Pulumi plugin `cloudflare`, for machines that cannot download the vendor's. */
export { pluginDirectory } from "./cloudflare/plugin/executable.ts";
export { cloudflare } from "./cloudflare/plugin/provider.ts";
