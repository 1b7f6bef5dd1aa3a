import type Cloudflare from "cloudflare";
import { APIConnectionError, APIError } from "cloudflare/error";

interface CloudflareOptions {
  apiToken: string;
  /** Default: Cloudflare's API. */
  baseURL?: string | undefined;
  /** Milliseconds for one request. Default: the SDK's. */
  timeout?: number;
}

/** Loads the SDK on first use: it has more modules than the rest of the service. */
export async function openCloudflare({ baseURL, ...options }: CloudflareOptions): Promise<Cloudflare> {
  const { default: Client } = await import("cloudflare");
  return new Client({ ...options, apiKey: null, apiEmail: null, ...(baseURL && { baseURL }) });
}

/** Returns what the API answered, without the request. */
export function cloudflareFault(error: unknown): string {
  if (error instanceof APIConnectionError) return "the Cloudflare API cannot be reached";
  if (!(error instanceof APIError)) return error instanceof Error ? error.message : String(error);
  return error.errors.map(({ code, message }) => `${message} (code ${code})`).join("; ") || `HTTP ${error.status}`;
}
