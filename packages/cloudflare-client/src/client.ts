import { UserError } from "@tenantry/plugin-host/errors";
import { isObject } from "@tenantry/plugin-host/properties";
import type { ProcessVariables } from "@tenantry/plugin-host/provider";
import Cloudflare from "cloudflare";

/** What a Cloudflare client needs; what is missing is taken from variables. */
export interface CloudflareConfig {
  apiToken?: string | undefined;
  baseUrl?: string | undefined;
}

/** Made of a configuration, a client for the Cloudflare API; it is asked for only by what needs it. */
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

/** Some endpoints put JSON into the message: `{"error":"…"}`. */
function unwrapped(message = ""): string {
  try {
    const inner: unknown = JSON.parse(message);
    return isObject(inner) && typeof inner.error === "string" ? inner.error : message;
  } catch {
    return message;
  }
}

/** One sentence for an error of the Cloudflare SDK: what the API said, with its codes, without the request. */
export function cloudflareWording(error: unknown): string | undefined {
  if (error instanceof Cloudflare.APIConnectionError) {
    const cause = error.cause instanceof Error && "code" in error.cause ? ` (${String(error.cause.code)})` : "";
    return `The Cloudflare API cannot be reached${cause}.`;
  }
  if (!(error instanceof Cloudflare.APIError)) return undefined;
  const said = error.errors.map((item) => `${unwrapped(item.message)} (code ${item.code})`).join("; ");
  return `Cloudflare refused: ${said || `HTTP ${error.status}`}`;
}

/** The answer of an API call; undefined when the API says that there is no such thing. */
export async function unlessGone<T>(call: PromiseLike<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof Cloudflare.NotFoundError) return undefined;
    throw error;
  }
}
