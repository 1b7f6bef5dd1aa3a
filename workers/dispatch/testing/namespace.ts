/** A dispatch namespace for tests, as workerd scripts: `DISPATCHER`, and Workers that report their requests. */

/** The wrapped binding `get(name, args, { limits })`, with the Worker below. */
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

/** Every tenant's Worker: it returns its request, and records ticks, cuts and messages of its inbox. */
export const TENANTS = `
/** When each tenant was cut last. */
const cutAt = new Map();
/** Doors and event IDs of the tenants' inboxes. */
const messages = new Set();
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
    if (path === "/api/internal/cut") {
      await env.RECORD.fetch("http://record/", { method: "POST", body: JSON.stringify({ worker, cut: await request.json() }) });
      cutAt.set(worker, Date.now());
      return new Response(null, { status: worker === "tenant-uncut" ? 500 : 204 });
    }
    // A Worker of version 0.1.
    if (worker === "tenant-old" && !path.startsWith("/api/health")) {
      return Response.json({ error: { code: "not_found", message: "The tenant Worker has no such path." } }, { status: 404 });
    }
    if (path === "/api/internal/inbox" && request.method === "POST") {
      if (worker === "tenant-hangs") await new Promise((resolve) => setTimeout(resolve, 60_000));
      if (worker === "tenant-throws") throw new Error("secret detail of the tenant");
      if (worker === "tenant-full") return new Response("full", { status: 503, headers: { "retry-after": "42" } });
      const headers = Object.fromEntries(request.headers);
      const { door, eventId } = JSON.parse(atob(headers["x-platform-delivery"]));
      const isKnown = messages.has(worker + door + eventId);
      messages.add(worker + door + eventId);
      const bytes = await request.arrayBuffer();
      const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
      const message = { headers, body: new TextDecoder().decode(bytes), digest };
      if (!isKnown) await env.RECORD.fetch("http://record/", { method: "POST", body: JSON.stringify({ worker, message }) });
      if (isKnown) return new Response(null, { status: 202, headers: { "x-platform-outcome": "duplicate" } });
      // A Worker of an earlier version does not send the header.
      return Response.json({ outcome: "queued" }, { status: 202 });
    }
    if (path === "/stream") {
      const { readable, writable } = new TransformStream();
      const writer = writable.getWriter();
      const write = () => writer.write(new TextEncoder().encode("data: more\\n\\n"));
      const writing = setInterval(() => write().catch(() => clearInterval(writing)), 50);
      write();
      return new Response(readable, { headers: { "content-type": "text/event-stream" } });
    }
    if (path === "/long") {
      const compressed = request.url.endsWith("compressed");
      return new Response("chunk ".repeat(100_000), compressed ? { headers: { "content-encoding": "gzip" } } : {});
    }
    if (path === "/cookies") {
      const headers = new Headers();
      for (const cookie of new URL(request.url).searchParams.getAll("set")) headers.append("set-cookie", cookie);
      return new Response("cookies", { headers });
    }
    if (path === "/throws") throw new Error("secret detail of the tenant");
    if (path === "/over-limit") throw new Error("Worker exceeded CPU time limit.");
    if (request.headers.get("upgrade") === "websocket") {
      const [client, server] = Object.values(new WebSocketPair());
      server.accept();
      server.send(JSON.stringify({ worker, role: request.headers.get("x-platform-role") }));
      server.binaryType = "arraybuffer";
      // Objects of other requests cannot be used, so each WebSocket polls for its tenant's cut.
      const cutting = setInterval(() => {
        if (Date.now() - (cutAt.get(worker) ?? 0) < 5_000 && cutAt.get(worker) > openedAt) server.close(1012, "cut");
      }, 20);
      const openedAt = Date.now();
      server.addEventListener("message", (event) => {
        const [word, code, reason] = String(event.data).split(" ");
        if (word === "close") server.close(Number(code), reason);
        else server.send(event.data);
      });
      server.addEventListener("close", ({ code, reason }) => {
        clearInterval(cutting);
        console.log("tenant saw the end: " + code + " " + reason);
      });
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
