import { CHECKS } from "./checks/checks.ts";
import { eventIdOf } from "./events/ids.ts";
import { READERS } from "./events/readers.ts";
import { type KindTerms, WEBHOOK_KINDS, type WebhookKind } from "./kinds.ts";
import type { Refusal, Verdict, VerifyOptions, WebhookRequest, WebhookSecrets } from "./verdict.ts";

const refused = (reason: Refusal): Verdict => ({ outcome: "refused", reason });

const hasSubpath = ({ subpaths, otherSubpaths }: KindTerms, subpath: string) =>
  subpaths.includes(subpath) || (otherSubpaths?.test(subpath) ?? false);

/** By the object that was given, so that secrets which a caller keeps are checked once. They must not change afterwards. */
const checked = new WeakMap<WebhookSecrets, { kind: WebhookKind; data: WebhookSecrets }>();

/** @throws TypeError, which names the invalid secrets but not their values */
export function checkedSecrets(kind: WebhookKind, secrets: WebhookSecrets): WebhookSecrets {
  const known = checked.get(secrets);
  if (known?.kind === kind) return known.data;
  const { data, error } = WEBHOOK_KINDS[kind].secrets.safeParse(secrets);
  if (data) {
    checked.set(secrets, { kind, data: data as WebhookSecrets });
    return data as WebhookSecrets;
  }
  const names = new Set(error.issues.map((issue) => issue.path.join(".") || "an unknown secret"));
  throw new TypeError(`Secrets of kind ${kind} are invalid: ${[...names].join(", ")}. See the kind's schema.`);
}

async function refusalOf(
  kind: WebhookKind,
  secrets: readonly WebhookSecrets[],
  request: WebhookRequest,
  options: VerifyOptions,
): Promise<Refusal | undefined> {
  let first: Refusal | undefined;
  for (const some of secrets) {
    const refusal = await CHECKS[kind](checkedSecrets(kind, some), request, options);
    if (refusal === undefined) return undefined;
    first ??= refusal;
  }
  return first ?? "signature_wrong";
}

/**
 * Verifies that the vendor sent the request, and returns the event's id and conversation.
 *
 * @param secrets several while a secret is rotated: one of them must be right
 * @throws TypeError if the secrets do not fit the kind's schema, and what `options.keys` throws. A request never causes an error.
 */
export async function verifyWebhook(
  kind: WebhookKind,
  secrets: WebhookSecrets | readonly WebhookSecrets[],
  request: WebhookRequest,
  options: VerifyOptions,
): Promise<Verdict> {
  const terms = WEBHOOK_KINDS[kind];
  if (!terms.methods.includes(request.method)) return refused("method");
  if (!hasSubpath(terms, request.subpath)) return refused("subpath");
  const all = Array.isArray(secrets) ? (secrets as readonly WebhookSecrets[]) : [secrets as WebhookSecrets];
  const refusal = await refusalOf(kind, all, request, options);
  if (refusal !== undefined) return refused(refusal);
  const event = READERS[kind](request);
  if (event === undefined) return refused("malformed");
  if ("answer" in event) return { outcome: "answered", ...event.answer };
  return {
    outcome: "verified",
    eventId: await eventIdOf(kind, event, request),
    conversation: event.conversation,
    acknowledgement: event.acknowledgement ?? terms.acknowledgement,
  };
}
