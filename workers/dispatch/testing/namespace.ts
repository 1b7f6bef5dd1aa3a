/** A dispatch namespace for tests, as scripts for workerd: a `DISPATCHER` and Workers that tell what reached them. */

/** The wrapped binding: `get(name, args, { limits })`, whose Worker is the one below. */
export const DISPATCHER = `
export default function (env) {
  return {
    get(name, _args, options) {
      return {
        fetch(request) {
          if (name === "tenant-missing") throw new Error("Worker not found.");
          const headers = new Headers(request.headers);
          headers.set("test-worker", name);
          headers.set("test-limits", JSON.stringify(options.limits));
          return env.TENANTS.fetch(new Request(request, { headers }));
        },
      };
    },
  };
}
`;

/** Every tenant's Worker: it answers with what it was sent, and records ticks. */
export const TENANTS = `
export default {
  async fetch(request, env) {
    const worker = request.headers.get("test-worker");
    const path = new URL(request.url).pathname;
    if (path === "/api/internal/tick") {
      await env.RECORD.fetch("http://record/", { method: "POST", body: JSON.stringify({ worker, tick: await request.json() }) });
      if (worker === "tenant-hangs") await new Promise((resolve) => setTimeout(resolve, 60_000));
      if (worker === "tenant-fails") return new Response("no", { status: 500 });
      return new Response(null, { status: 204 });
    }
    if (path === "/throws") throw new Error("secret detail of the tenant");
    if (path === "/over-limit") throw new Error("Worker exceeded CPU time limit.");
    if (request.headers.get("upgrade") === "websocket") {
      const [client, server] = Object.values(new WebSocketPair());
      server.accept();
      server.send(JSON.stringify({ worker, role: request.headers.get("x-platform-role") }));
      server.addEventListener("message", (event) => server.send(event.data));
      return new Response(null, { status: 101, webSocket: client });
    }
    return Response.json({
      worker,
      limits: JSON.parse(request.headers.get("test-limits")),
      method: request.method,
      url: request.url,
      headers: Object.fromEntries(request.headers),
      body: await request.text(),
    });
  },
};
`;
