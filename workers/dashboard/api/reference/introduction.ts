/** Introduction to the API for readers who do not know Tenantry, in Markdown: the document's description and the page's first part. */
import { DEFAULT_LIMIT, MAX_LIMIT } from "#workers/contracts/api/paging.ts";

export interface Chapter {
  readonly title: string;
  readonly paragraphs: readonly string[];
}

export const SUMMARY =
  "Manage the tenants of a Tenantry platform: partners, clients, their instances and users, billing and rollouts.";

export const introduction: readonly Chapter[] = [
  {
    title: "Overview",
    paragraphs: [
      "Tenantry runs one AI-agent gateway per customer on Cloudflare. A customer is a **client**. Its deployed gateway is its **instance**, at `https://SLUG.DOMAIN`. A **partner** is a company that owns clients; clients without a partner are internal to the platform.",
      "The usual order is: create a client (`createClient`), provision its instance (`createInstance`), wait for the job (`getJob`), let it take traffic (`updateClient` with the status `active`), and invite its users (`inviteClientUser`).",
      "The API is served on the dashboard's host, `https://dash.DOMAIN`, and the dashboard uses no other API. Requests and responses are JSON unless an operation says otherwise. Unknown fields of a request body are rejected.",
    ],
  },
  {
    title: "Authentication",
    paragraphs: [
      "Cloudflare Access protects the host. A program sends the Access token of a user in the header `cf-access-token`; `cloudflared access login https://dash.DOMAIN` and `cloudflared access token --app=https://dash.DOMAIN` obtain it. A browser sends the cookie `CF_Authorization` after login.",
      "On a local platform, `npm run token -- --email EMAIL --host dash.tenantry.localhost` prints a token.",
      "The user of the token needs a role of the dashboard. `ROOT` administers the platform. `PARTNER_ROOT` administers the clients of one partner, and does not see those of others. Each operation has its roles in `x-required-role`; another role gets `403` with the code `forbidden`. Operations without a role need no login.",
      "Users of a tenant have the role `ADMIN` or `BASE_USER`. They call operations that list it at `https://dash.DOMAIN/console/SLUG/api`, and see their tenant only. A program sends a service token of the tenant, as `CF-Access-Client-Id` and `CF-Access-Client-Secret`, with `POST https://SLUG.DOMAIN/.tenantry/session`. The response has `token`, `expires_at` (within 15 minutes) and `api_url`. The program sends `token` as `Authorization: Bearer` to `api_url`, with the rights of the service token's user and the lower of both roles. Both are checked at each request.",
    ],
  },
  {
    title: "Errors",
    paragraphs: [
      'An error has a status of 400 or more and the body `{"error": {"code", "reason", "message", "details"}}`. `code` is general and stable, so that programs can depend on it. `reason` names the exact error, if it has one. `message` says in English what failed, why, and what to do. `details` depends on the error: for `invalid_request` it has the faults of each field.',
      "A `5xx` error has no internals; `internal` has an ID to search for in the log.",
    ],
  },
  {
    title: "Lists",
    paragraphs: [
      `Lists return pages: \`data\` has up to \`limit\` entries (default ${DEFAULT_LIMIT}, at most ${MAX_LIMIT}). For the next page, send \`pagination.next\` as \`after\`; \`next\` is null on the last page. Each entry is returned once, also when entries are added meanwhile. \`total\` is present where counting is cheap.`,
    ],
  },
  {
    title: "Concurrent changes",
    paragraphs: [
      "A response with a `version` has it as its `ETag`. Send this `ETag` as `If-Match` with a change: if another user changed the entity meanwhile, the request fails with `412` and changes nothing. Without `If-Match` the last change wins.",
    ],
  },
  {
    title: "Retries",
    paragraphs: [
      "Send a unique `Idempotency-Key` with each `POST`, such as a UUID, and send the same request with the same key again if its response was lost. The API then returns the first response with the header `Idempotency-Replayed: true` and changes nothing. Keys are stored for 24 hours. `GET`, `PUT` and `DELETE` can be repeated without a key.",
      "For `429` and `503`, wait for the seconds in `Retry-After`.",
    ],
  },
  {
    title: "Work after the response",
    paragraphs: [
      "Operations that deploy something answer `202` with a job, and the automation service runs it afterwards. Poll `getJob` until `ended_at` is set. A job of an instance can end as `failed` with its `cause`; `retryJob` requests it again.",
    ],
  },
  {
    title: "Limits",
    paragraphs: [
      "A JSON body has at most 256 KiB. A caller can send 60 invitations per hour, and a partner root 60 previews of clients at once and then one every two seconds. Requests without login are limited by network.",
    ],
  },
  {
    title: "Values and stability",
    paragraphs: [
      "IDs are UUIDs. Times are ISO 8601 in UTC. Amounts are integers in millionths of a US dollar, in fields that end in `_micros`.",
      "Paths, operation IDs, fields, enum values and error codes stay as they are. A release can add operations, fields, enum values and `reason`s, so that programs have to ignore those that they do not know.",
    ],
  },
];

/** Returns the introduction as Markdown. */
export const introductionText = (): string =>
  introduction.map(({ title, paragraphs }) => [`# ${title}`, ...paragraphs].join("\n\n")).join("\n\n");
