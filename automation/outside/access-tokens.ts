import { undefinedIfNotFound } from "@tenantry/cloudflare-client/not-found";
import type Cloudflare from "cloudflare";
import { APIError } from "cloudflare/error";
import { asSentence } from "#domain/errors/catalogue-error.ts";
import { outsideErrors } from "#domain/errors/service/automation.ts";
import type { Settings } from "../settings.ts";
import { TaskError } from "../task.ts";
import { cloudflareFault, openCloudflare } from "./cloudflare.ts";

const ANSWER_MS = 20_000;

export interface AccessToken {
  id: string;
  name: string;
  /** Milliseconds since the epoch; undefined if Access does not say. */
  createdAt: number | undefined;
}

/** Service tokens of the account. */
export class AccessTokens {
  readonly #settings: Pick<Settings, "CLOUDFLARE_API_URL" | "CLOUDFLARE_API_TOKEN" | "CLOUDFLARE_ACCOUNT_ID">;
  #cloudflare: Promise<Cloudflare> | undefined;

  constructor(settings: Pick<Settings, "CLOUDFLARE_API_URL" | "CLOUDFLARE_API_TOKEN" | "CLOUDFLARE_ACCOUNT_ID">) {
    this.#settings = settings;
  }

  /** @returns undefined if the API token may not read them @throws TaskError */
  async list(signal: AbortSignal): Promise<AccessToken[] | undefined> {
    const found: AccessToken[] = [];
    try {
      for await (const token of (await this.#tokens()).list({ account_id: this.#account }, { signal })) {
        const { id, name = "", duration = "", expires_at = "" } = token;
        if (id !== undefined) found.push({ id, name, createdAt: createdAt(duration, expires_at) });
      }
    } catch (error) {
      if (error instanceof APIError && error.status === 403) return undefined;
      throw new TaskError(outsideErrors.service_tokens_not_listed, { fault: asSentence(cloudflareFault(error)) });
    }
    return found;
  }

  /** Deletes a token. @returns whether it is deleted; false while an Access group names it @throws TaskError */
  async delete(id: string, signal: AbortSignal): Promise<boolean> {
    try {
      await undefinedIfNotFound((await this.#tokens()).delete(id, { account_id: this.#account }, { signal }));
      return true;
    } catch (error) {
      // The vendor does not document the refusal.
      if (error instanceof APIError && (error.status === 400 || error.status === 409)) return false;
      throw new TaskError(outsideErrors.service_token_not_deleted, { id, fault: asSentence(cloudflareFault(error)) });
    }
  }

  get #account(): string {
    return this.#settings.CLOUDFLARE_ACCOUNT_ID;
  }

  async #tokens() {
    const { CLOUDFLARE_API_TOKEN: apiToken, CLOUDFLARE_API_URL: baseURL } = this.#settings;
    this.#cloudflare ??= openCloudflare({ apiToken, baseURL, timeout: ANSWER_MS });
    return (await this.#cloudflare).zeroTrust.access.serviceTokens;
  }
}

/** The API returns no time of creation. The platform gives durations in hours. */
function createdAt(duration: string, expiresAt: string): number | undefined {
  const hours = /^(\d+)h(?:0m0s)?$/.exec(duration)?.[1];
  const end = Date.parse(expiresAt);
  return hours === undefined || Number.isNaN(end) ? undefined : end - Number(hours) * 3_600_000;
}
