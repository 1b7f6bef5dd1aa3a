/** Workers that stand beside the platform's own while they are measured. */

/** What the dispatch Worker is compared with: it reads the tenant off the host and does nothing else, with limits too. */
export const FORWARDER_SOURCE = `
const limits = { cpuMs: 30000, subRequests: 50 };
export default {
  fetch(request, env) {
    const [slug] = new URL(request.url).hostname.split(".", 1);
    return env.DISPATCHER.get("tenant-" + slug, {}, { limits }).fetch(request);
  },
};
`;

/** The same with a line in the log for each request, as the dispatch Worker has. */
export const LOGGING_FORWARDER_SOURCE = `
const limits = { cpuMs: 30000, subRequests: 50 };
export default {
  async fetch(request, env) {
    const [slug] = new URL(request.url).hostname.split(".", 1);
    const begun = Date.now();
    const response = await env.DISPATCHER.get("tenant-" + slug, {}, { limits }).fetch(request);
    const { method, headers } = request;
    const ms = { before: 0, total: Date.now() - begun };
    const { status } = response;
    console.log(JSON.stringify({ event: "request.answered", method, tenant: slug, status, ms, ray: headers.get("cf-ray") }));
    return response;
  },
};
`;

/** Slug of a tenant whose Worker only answers. */
export const SMALL = "small";
export const SMALL_WORKER = `
export default {
  // It says its length, as a gateway's answers do: one that does not is relayed, so that it can be cut.
  fetch: () => new Response("small", { headers: { "content-length": "5" } }),
};
`;
