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
