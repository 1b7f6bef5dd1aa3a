import { isObject, type ProcessVariables, UserError } from "@tenantry/plugin-host";
import Cloudflare from "cloudflare";

/** Configuration of a client. Default: `CLOUDFLARE_API_TOKEN` and `CLOUDFLARE_BASE_URL`. */
export interface CloudflareConfig {
  apiToken?: string | undefined;
  baseUrl?: string | undefined;
}

/** Returns a function that creates the client once. @param provider name of the provider, for error messages */
export function cloudflareClient(
  config: CloudflareConfig,
  variables: ProcessVariables,
  provider: string,
): () => Cloudflare {
  let client: Cloudflare | undefined;
  return () => {
    if (client === undefined) {
      const apiToken = config.apiToken ?? variables.CLOUDFLARE_API_TOKEN;
      if (!apiToken) {
        throw new UserError(
          `No Cloudflare API token: set CLOUDFLARE_API_TOKEN, or \`pulumi config set --secret ${provider}:apiToken\`.`,
        );
      }
      const baseURL = config.baseUrl ?? variables.CLOUDFLARE_BASE_URL;
      client = new Cloudflare({ apiToken, apiKey: null, apiEmail: null, ...(baseURL ? { baseURL } : {}) });
    }
    return client;
  };
}

/** Some endpoints have JSON in the message: `{"error":"…"}`. */
function unwrapMessage(message = ""): string {
  try {
    const inner: unknown = JSON.parse(message);
    return isObject(inner) && typeof inner.error === "string" ? inner.error : message;
  } catch {
    return message;
  }
}

/** Returns a message for an error of the Cloudflare SDK, with the codes of the API; undefined for another error. */
export function cloudflareErrorMessage(error: unknown): string | undefined {
  if (error instanceof Cloudflare.APIConnectionError) {
    const cause = error.cause instanceof Error && "code" in error.cause ? ` (${String(error.cause.code)})` : "";
    return `The Cloudflare API cannot be reached${cause}.`;
  }
  if (!(error instanceof Cloudflare.APIError)) return undefined;
  const messages = error.errors.map((item) => `${unwrapMessage(item.message)} (code ${item.code})`).join("; ");
  return `Cloudflare refused: ${messages || `HTTP ${error.status}`}`;
}
