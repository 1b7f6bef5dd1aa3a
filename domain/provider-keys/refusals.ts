/** What a provider says of a key when it refuses a call. */
import * as z from "zod";
import { KEY_PROVIDERS, type KeyProvider, type ProviderFault } from "./providers.ts";
import { hideKey } from "./redaction.ts";

const MAX_MESSAGE = 300;

/** Words of providers for an account without credit or beyond its budget. Providers send them with 400, 403 or 429. */
const NO_QUOTA =
  /insufficient_quota|credit_balance_exhausted|billing_hard_limit_reached|exceeded your current quota|credit balance is too low|insufficient (?:balance|credits)|spend(?:ing)? limit/i;

const text = z.string();
const withMessage = z.object({ message: text });
/** The forms of errors: OpenAI and Anthropic, xAI, Mistral. Google's endpoint for OpenAI's API wraps it in a list. */
const providerError = z.union([
  z.object({ error: withMessage }).transform(({ error }) => error.message),
  z.object({ error: text }).transform(({ error }) => error),
  withMessage.transform(({ message }) => message),
  z.object({ detail: text }).transform(({ detail }) => detail),
  z.tuple([z.object({ error: withMessage })], z.unknown()).transform(([{ error }]) => error.message),
]);

/** An AI gateway's own refusal (packages/edge/src/ai-gateway/refusal.ts): of its token, spend limit, rate limit or filter. */
const gatewayError = z.object({ success: z.literal(false), error: z.array(z.unknown()) });

export interface ProviderRefusal {
  fault: ProviderFault;
  /** The provider's, without the key. */
  message: string;
}

/**
 * Returns what a refusal says of the key with which a call was made; undefined if it says nothing of it: for other errors, and for refusals
 * of the AI gateway itself.
 */
export function refusalOfKey(
  provider: KeyProvider,
  key: string,
  { status, body }: { status: number; body: string },
): ProviderRefusal | undefined {
  if (status < 400 || status >= 500) return undefined;
  const parsed = parseJson(body);
  if (parsed === undefined || gatewayError.safeParse(parsed).success) return undefined;
  const message = providerError.safeParse(parsed).data;
  const fault = faultOf(provider, status, body);
  if (fault === undefined || message === undefined) return undefined;
  return { fault, message: tidy(hideKey(message, key)) };
}

function faultOf(provider: KeyProvider, status: number, body: string): ProviderFault | undefined {
  if (status === 402) return "quota_exceeded";
  if ([400, 403, 429].includes(status) && NO_QUOTA.test(body)) return "quota_exceeded";
  if (status === 429) return "rate_limited";
  if (status === 401 || status === 403) return "rejected";
  return status === 400 && KEY_PROVIDERS[provider].invalid?.test(body) === true ? "rejected" : undefined;
}

/** Removes control characters, and shortens. */
function tidy(message: string): string {
  const plain = message.replaceAll(/[\p{C}\s]+/gu, " ").trim();
  return plain.length > MAX_MESSAGE ? `${plain.slice(0, MAX_MESSAGE - 1)}…` : plain;
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
