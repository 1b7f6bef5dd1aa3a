/** An Access service token that opens one tenant during a verification. Its resources are found by their name, also after a lost answer. */
import * as z from "zod";
import { CatalogueError } from "#domain/errors/catalogue-error.ts";
import { verifyErrors as errors } from "#domain/errors/commands/fleet-verify.ts";
import { type Answer, type CloudflareApi, faultOf, isDenied, isSuccess } from "../preflight/cloudflare.ts";

const PREFIX = "tenantry-verify-";
/** Longer than a verification. What is older, a killed run left. */
const HOURS = 3;
export const LEFT_AFTER_MS = HOURS * 3_600_000;
const MAX_PER_PAGE = 50;

const createdToken = z.object({ id: z.string(), client_id: z.string(), client_secret: z.string() });
const listedToken = z.looseObject({ id: z.string(), name: z.string(), expires_at: z.iso.datetime().nullish() });
const application = z.looseObject({
  id: z.string(),
  domain: z.string().nullish(),
  policies: z.array(z.looseObject({ id: z.string(), name: z.string().nullish() })).nullish(),
});

/** Headers of a request by the service token (developers.cloudflare.com/cloudflare-one/access-controls/service-credentials/service-tokens). */
export type ServiceHeaders = Readonly<Record<"cf-access-client-id" | "cf-access-client-secret", string>>;

export class ServiceAccess {
  readonly #base: string;
  readonly #host: string;
  /** Of the token and of its policy. */
  readonly name: string;

  constructor({ accountId, slug, host }: { accountId: string; slug: string; host: string }) {
    this.#base = `/accounts/${accountId}/access`;
    this.#host = host;
    this.name = `${PREFIX}${slug}`;
  }

  /** Admits a new service token to the tenant. @returns undefined if the API token may not @throws CatalogueError */
  async grant(api: CloudflareApi): Promise<ServiceHeaders | undefined> {
    const [tenant] = await this.#applications(api, this.#host);
    if (tenant === undefined) throw new CatalogueError(errors.verify_application_missing, { host: this.#host });
    const body = { name: this.name, duration: `${HOURS}h` };
    const made = await api.request("POST", `${this.#base}/service_tokens`, body);
    if (isDenied(made)) return undefined;
    const { id, client_id, client_secret } = createdToken.parse(resultOf(made));
    const include = [{ service_token: { token_id: id } }];
    const policy = { name: this.name, decision: "non_identity", include };
    resultOf(await api.request("POST", `${this.#base}/apps/${tenant.id}/policies`, policy));
    return { "cf-access-client-id": client_id, "cf-access-client-secret": client_secret };
  }

  /** Deletes policies and tokens of this verification. Without effect if there are none. @throws CatalogueError */
  async revoke(api: CloudflareApi): Promise<void> {
    await this.#remove(api, ({ name }) => name === this.name, this.#host);
  }

  /** Deletes what killed verifications left. @returns the names @throws CatalogueError */
  removeLeftovers(api: CloudflareApi): Promise<string[]> {
    const now = Date.now();
    return this.#remove(api, ({ name, expires_at: end }) => name.startsWith(PREFIX) && Date.parse(end ?? "") <= now);
  }

  /** @param host of the only application whose policies are searched. Default: all */
  async #remove(
    api: CloudflareApi,
    isOurs: (token: z.infer<typeof listedToken>) => boolean,
    host?: string,
  ): Promise<string[]> {
    const listed = await api.list(`${this.#base}/service_tokens`);
    if ("refused" in listed) {
      if (isDenied(listed.refused)) return [];
      throw apiFault(listed.refused);
    }
    const tokens = z.array(listedToken).parse(listed.items).filter(isOurs);
    if (tokens.length === 0) return [];
    const names = new Set(tokens.map(({ name }) => name));
    // A policy names its token, so it goes first.
    for (const { id, policies } of await this.#applications(api, host))
      for (const policy of policies ?? [])
        if (names.has(policy.name ?? "")) await deleteItem(api, `${this.#base}/apps/${id}/policies/${policy.id}`);
    for (const { id } of tokens) await deleteItem(api, `${this.#base}/service_tokens/${id}`);
    return [...names];
  }

  async #applications(api: CloudflareApi, host?: string): Promise<z.infer<typeof application>[]> {
    if (host === undefined) {
      const listed = await api.list(`${this.#base}/apps`);
      if ("refused" in listed) throw apiFault(listed.refused);
      return z.array(application).parse(listed.items);
    }
    const query = new URLSearchParams({ domain: host, per_page: String(MAX_PER_PAGE) });
    const found = z.array(application).parse(resultOf(await api.get(`${this.#base}/apps?${query}`)));
    return found.filter(({ domain }) => domain === host);
  }
}

async function deleteItem(api: CloudflareApi, path: string): Promise<void> {
  const answer = await api.request("DELETE", path);
  if (answer.status !== 404) resultOf(answer);
}

const apiFault = (answer: Answer) => new CatalogueError(errors.verify_api_refused, { fault: faultOf(answer) });

/** @throws CatalogueError if the API refused */
function resultOf(answer: Answer): unknown {
  if (!isSuccess(answer)) throw apiFault(answer);
  return answer.envelope?.result;
}
