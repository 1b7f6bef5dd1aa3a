/** The dispatch Worker's baseline: it only takes the tenant from the host. It sets limits too. */
export const FORWARDER_SOURCE = `
const limits = { cpuMs: 30000, subRequests: 50 };
export default {
  fetch(request, env) {
    const [slug] = new URL(request.url).hostname.split(".", 1);
    return env.DISPATCHER.get("tenant-" + slug, {}, { limits }).fetch(request);
  },
};
`;

/** Also logs a line per request, like the dispatch Worker. */
export const LOGGING_FORWARDER_SOURCE = `
const limits = { cpuMs: 30000, subRequests: 50 };
export default {
  async fetch(request, env) {
    const [slug] = new URL(request.url).hostname.split(".", 1);
    const startedAt = Date.now();
    const response = await env.DISPATCHER.get("tenant-" + slug, {}, { limits }).fetch(request);
    const { method, headers } = request;
    const ms = { before: 0, total: Date.now() - startedAt };
    const { status } = response;
    console.log(JSON.stringify({ event: "request.answered", method, tenant: slug, status, ms, ray: headers.get("cf-ray") }));
    return response;
  },
};
`;

export const SMALL = "small";
export const SMALL_WORKER = `
export default {
  // With its length, as of a gateway's responses: bodies of unknown length are relayed.
  fetch: () => new Response("small", { headers: { "content-length": "5" } }),
};
`;

export const INBOX = "inbox";
/** A tenant's Worker that only forwards a webhook to its Durable Object, which stores it in one row, once for each event. */
export const INBOX_WORKER = `
import { DurableObject } from "cloudflare:workers";
export class Inbox extends DurableObject {
  constructor(state, env) {
    super(state, env);
    state.storage.sql.exec("create table if not exists messages (event text primary key, body blob not null)");
  }
  receive(event, body) {
    const { sql } = this.ctx.storage;
    return sql.exec("insert or ignore into messages values (?, ?)", event, body).rowsWritten > 0 ? "queued" : "duplicate";
  }
}
export default {
  async fetch(request, env) {
    const body = await request.arrayBuffer();
    const inbox = env.INBOX.get(env.INBOX.idFromName("inbox"));
    return Response.json({ outcome: await inbox.receive(request.headers.get("x-event"), body) }, { status: 202 });
  },
};
`;

/** The baselines of the doors: they read the body and verify GitHub's signature. `STORES`: the tenant's Worker also stores it. */
export const VERIFIER_SOURCE = `
const STORES = false;
const hex = (text) => Uint8Array.from(text.match(/../g) ?? [], (digits) => parseInt(digits, 16));
let importing;
export default {
  async fetch(request, env) {
    importing ??= crypto.subtle.importKey(
      "raw", new TextEncoder().encode(env.SECRET), { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
    const [key, body] = await Promise.all([importing, request.arrayBuffer()]);
    const signature = hex((request.headers.get("x-hub-signature-256") ?? "").slice("sha256=".length));
    if (!(await crypto.subtle.verify("HMAC", key, signature, body))) return new Response(null, { status: 404 });
    if (STORES) {
      const headers = { "x-event": request.headers.get("x-github-delivery") };
      const sent = new Request("https://tenant-${INBOX}.example/", { method: "POST", headers, body });
      const { status } = await env.DISPATCHER.get("tenant-${INBOX}", {}, {}).fetch(sent);
      if (status !== 202) return new Response(null, { status: 503 });
    }
    return new Response(null, { status: 200 });
  },
};
`;
