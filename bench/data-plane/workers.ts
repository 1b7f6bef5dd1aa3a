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
/** A tenant's Worker whose inbox stores every webhook. */
export const INBOX_WORKER = `
export default {
  async fetch(request) {
    await request.arrayBuffer();
    return Response.json({ outcome: "queued" }, { status: 202 });
  },
};
`;

/** The baselines of the doors: they read the body and verify GitHub's signature. `FORWARDS` also forward it. */
export const VERIFIER_SOURCE = `
const FORWARDS = false;
const hex = (text) => Uint8Array.from(text.match(/../g) ?? [], (digits) => parseInt(digits, 16));
let importing;
export default {
  async fetch(request, env) {
    importing ??= crypto.subtle.importKey(
      "raw", new TextEncoder().encode(env.SECRET), { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
    const [key, body] = await Promise.all([importing, request.arrayBuffer()]);
    const signature = hex((request.headers.get("x-hub-signature-256") ?? "").slice("sha256=".length));
    if (!(await crypto.subtle.verify("HMAC", key, signature, body))) return new Response(null, { status: 404 });
    if (FORWARDS) {
      const sent = new Request("https://tenant-${INBOX}.example/", { method: "POST", body });
      await (await env.DISPATCHER.get("tenant-${INBOX}", {}, {}).fetch(sent)).arrayBuffer();
    }
    return new Response(null, { status: 200 });
  },
};
`;
