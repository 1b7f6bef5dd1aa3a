import * as z from "zod";
import { serviceTokenErrors } from "#domain/errors/api/service-tokens.ts";
import { log, reasonOf } from "#workers/shared/log.ts";
import { failure } from "../http/failure.tsx";

const ANSWER_MS = 15_000;

/** developers.cloudflare.com/api/resources/zero_trust/subresources/access/subresources/service_tokens/methods/create/ */
const created = z.object({
  result: z.object({ id: z.string().min(1), client_id: z.string().min(1), client_secret: z.string().min(1) }),
});
const refused = z.object({ errors: z.array(z.object({ code: z.number(), message: z.string() })) });

export interface AccessTokenSettings {
  CLOUDFLARE_API_URL: string;
  CF_ACCOUNT_ID: string;
  SERVICE_TOKENS_TOKEN: string;
}

/**
 * Creates a service token at Access, once: the answer alone has the secret. A token whose answer is lost is deleted by the automation service,
 * which finds it by its name.
 *
 * @throws Failure
 */
export async function createAccessToken(
  { CLOUDFLARE_API_URL, CF_ACCOUNT_ID, SERVICE_TOKENS_TOKEN }: AccessTokenSettings,
  { name, days }: { name: string; days: number },
): Promise<{ access_token_id: string; access_client_id: string; secret: string }> {
  let response: Response;
  let body: unknown;
  try {
    response = await fetch(`${CLOUDFLARE_API_URL}/accounts/${CF_ACCOUNT_ID}/access/service_tokens`, {
      method: "POST",
      headers: { authorization: `Bearer ${SERVICE_TOKENS_TOKEN}`, "content-type": "application/json" },
      body: JSON.stringify({ name, duration: `${days * 24}h` }),
      redirect: "manual",
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    body = await response.json();
  } catch (error) {
    log("warn", "access-token.failed", { reason: reasonOf(error) });
    throw failure(serviceTokenErrors.access_not_responding);
  }
  const { result } = created.safeParse(body).data ?? {};
  if (response.ok && result !== undefined) {
    const { id, client_id, client_secret: secret } = result;
    return { access_token_id: id, access_client_id: client_id.toLowerCase(), secret };
  }
  const faults = refused.safeParse(body).data?.errors ?? [];
  const fault = faults.map(({ code, message }) => `${message} (${code})`).join("; ");
  log("warn", "access-token.refused", { status: response.status, fault });
  const isFull = response.status === 400 || response.status === 409;
  throw failure(isFull ? serviceTokenErrors.access_refused_token : serviceTokenErrors.access_not_responding);
}
