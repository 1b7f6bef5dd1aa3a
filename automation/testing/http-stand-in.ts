/** Stand-in for the dispatch Worker or the dashboard that records requests. */
import { EventEmitter, once } from "node:events";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { listen } from "@tenantry/std/listening";

export interface Heard {
  /** `METHOD path` */
  request: string;
  authorization: string | undefined;
  body: string;
}

export interface NextAnswer {
  /** Beginning of `METHOD path`: background jobs of the service send other requests meanwhile. */
  on: string;
  status: number;
  body?: object;
}

export interface HttpStandIn {
  url: string;
  /** In the order of receipt. Background jobs send requests too: select by `request`, never by position. */
  heard: Heard[];
  /** Each for one request that begins with `on`, in this order; the others get 200 and the configured body. */
  next: NextAnswer[];
  /** Waits for that many requests. */
  answered(count: number): Promise<void>;
  stop(): Promise<void>;
}

/** @param bodyOf response to a request. Default: an empty object */
export async function startHttpStandIn(bodyOf: (request: string) => unknown = () => ({})): Promise<HttpStandIn> {
  const heard: Heard[] = [];
  const next: NextAnswer[] = [];
  const emitter = new EventEmitter();
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const asked = `${request.method} ${request.url}`;
      heard.push({ request: asked, authorization: request.headers.authorization, body });
      const at = next.findIndex(({ on }) => asked.startsWith(on));
      const [answer] = at === -1 ? [] : next.splice(at, 1);
      response.writeHead(answer?.status ?? 200).end(JSON.stringify(answer?.body ?? bodyOf(asked)));
      emitter.emit("answered");
    });
  });
  const port = await listen(server, { port: 0 });
  return {
    url: `http://127.0.0.1:${port}`,
    heard,
    next,
    async answered(count) {
      while (heard.length < count) await once(emitter, "answered");
    },
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
