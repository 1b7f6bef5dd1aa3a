import { dispatchScript, putRoute, putScript } from "./scripts.ts";
import type { TestEdge } from "./test-edge.ts";

const TENANT = `
  import { DurableObject } from "cloudflare:workers";
  export class Memory extends DurableObject {
    fetch() { return new Response("object"); }
    async add() {
      const n = ((await this.ctx.storage.get("n")) ?? 0) + 1;
      await this.ctx.storage.put("n", n);
      return n;
    }
    async ask(n) {
      for (let i = 0; i < n; i++) await (i % 2 === 0 ? this.#own() : this.env.MEMORY.getByName("other").add());
      return "object made " + n;
    }
    // A method that another one calls is not an invocation.
    #own() { return this.read(); }
    read() { return this.env.KV.get("k"); }
  }
  let open = 0;
  const actions = {
    version: (request, env) => new Response(env.VERSION),
    seen: (request) => Response.json({ url: request.url, cf: request.cf, headers: Object.fromEntries(request.headers) }),
    memory: async (request, env) => new Response(String(await env.MEMORY.getByName("m").add())),
    echo: (request) => new Response(request.body, { headers: { "content-type": "text/x" } }),
    "large-headers": () => new Response("", { headers: { "x-big": "b".repeat(60_000) } }),
    throw() { throw new Error("from the tenant"); },
    open: () => new Response(String(open)),
    stream(request) {
      open += 1;
      request.signal.addEventListener("abort", () => { open -= 1; });
      const body = new ReadableStream({
        async pull(controller) {
          await new Promise((resolve) => setTimeout(resolve, 20));
          controller.enqueue(new TextEncoder().encode("tick\\n"));
        },
      });
      return new Response(body);
    },
    async slow(request, env) {
      await new Promise((r) => setTimeout(r, 1500));
      return new Response("slow " + env.VERSION);
    },
    spin() { for (;;) {} },
    async subrequests(request, env) {
      const n = Number(new URL(request.url).searchParams.get("n"));
      const parts = [];
      for (let i = 0; i < n; i++) parts.push(i % 2 === 0 ? fetch("http://main.tenantry.test/") : env.KV.get("k"));
      await Promise.all(parts);
      return new Response("made " + n);
    },
    async objects(request, env) {
      const n = Number(new URL(request.url).searchParams.get("n"));
      for (let i = 0; i < n; i++) await env.MEMORY.getByName("m").fetch("http://object/");
      return new Response("asked " + n);
    },
    async methods(request, env) {
      const n = Number(new URL(request.url).searchParams.get("n"));
      for (let i = 0; i < n; i++) await env.MEMORY.getByName("m").add();
      return new Response("called " + n);
    },
    async "within-object"(request, env) {
      return new Response(await env.MEMORY.getByName("m").ask(Number(new URL(request.url).searchParams.get("n"))));
    },
    ws() {
      const [client, server] = Object.values(new WebSocketPair());
      server.accept();
      server.addEventListener("message", (event) => {
        if (event.data === "spin") for (;;) {}
        server.send("echo " + event.data);
      });
      return new Response(null, { status: 101, webSocket: client });
    },
  };
  export default { fetch: (request, env, ctx) => actions[new URL(request.url).pathname.slice(1)](request, env, ctx) };
`;

/** Stores a script in the namespace `tenants`. It does what the path of the request says; `/version` returns `version`. */
export function putTenant(edge: TestEdge, name: string, version = "1", source = TENANT): void {
  putScript(edge.store, {
    name,
    namespace: "tenants",
    source,
    classes: ["Memory"],
    flags: ["enable_request_signal"],
    bindings: [
      { type: "plain_text", name: "VERSION", text: version },
      { type: "durable_object_namespace", name: "MEMORY", class_name: "Memory" },
      { type: "kv_namespace", name: "KV", namespace_id: "n" },
    ],
  });
}

/** Stores the dispatching Worker and its route. */
export function putDispatch(edge: TestEdge): void {
  putScript(edge.store, dispatchScript);
  putRoute(edge.store, "*.tenantry.test/*", "dispatch");
}
