/** Events of other services: their bodies need not be JSON, except Stripe's. */
import * as z from "zod";
import type { WebhookRequest } from "../verdict.ts";
import { jsonOf, jsonOrPayloadOf } from "./body.ts";
import { type Event, id, maybe, named, type Reader, text } from "./event.ts";

const headerIds = ({ headers }: WebhookRequest, names: readonly string[]): readonly string[] => {
  const found = names.map((name) => headers.get(name)).find((value) => value !== null && value !== "");
  return found ? [found] : [];
};

/** docs.github.com/en/webhooks/webhook-events-and-payloads */
const githubBody = z.object({
  repository: maybe(z.object({ full_name: maybe(text) })),
  organization: maybe(z.object({ login: maybe(text) })),
});

export const readGithub: Reader = (request) => {
  if (request.headers.get("x-github-event") === "ping") return { answer: { status: 200, headers: {}, body: "" } };
  const data = githubBody.safeParse(jsonOrPayloadOf(request.body)).data;
  return {
    ids: headerIds(request, ["x-github-delivery"]),
    conversation: data?.repository?.full_name ?? data?.organization?.login,
  };
};

/** docs.gitlab.com/user/project/integrations/webhooks/#delivery-headers */
const gitlabBody = z.object({
  project: maybe(z.object({ path_with_namespace: maybe(text) })),
  project_id: maybe(id),
  group: maybe(z.object({ full_path: maybe(text) })),
});

export const readGitlab: Reader = (request) => {
  const data = gitlabBody.safeParse(jsonOf(request.body)).data;
  return {
    ids: headerIds(request, ["webhook-id", "idempotency-key"]),
    conversation: data?.project?.path_with_namespace ?? data?.project_id ?? data?.group?.full_path,
  };
};

/** Stripe does not order events (docs.stripe.com/webhooks#event-ordering). */
const stripeEvent = z.object({ id: text });

export const readStripe: Reader = ({ body }) => {
  const { data } = stripeEvent.safeParse(jsonOf(body));
  return data && { ids: [data.id] };
};

export const readStandard: Reader = (request) => ({ ids: headerIds(request, ["webhook-id"]) });

/** docs.openclaw.ai/gateway/config-hooks#hook-agent-payload */
const hookBody = z.object({ idempotencyKey: maybe(text), sessionKey: maybe(text), agentId: maybe(text) });

export const readOpenclaw: Reader = (request) => {
  const data = hookBody.safeParse(jsonOf(request.body)).data;
  const ids = headerIds(request, ["idempotency-key", "x-openclaw-idempotency-key"]);
  const own: Event = { conversation: named(data?.sessionKey) };
  return { ...own, ids: ids.length > 0 || data?.idempotencyKey === undefined ? ids : [data.idempotencyKey] };
};

export const readAny: Reader = (request) => ({ ids: headerIds(request, ["idempotency-key", "webhook-id"]) });
