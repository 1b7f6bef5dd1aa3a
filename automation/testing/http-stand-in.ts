/** Stand-in for the dispatch Worker or the dashboard that records requests. */
import { EventEmitter, once } from "node:events";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";

export interface Heard {
  /** `METHOD path` */
  request: string;
  authorization: string | undefined;
  body: string;
}

export interface HttpStandIn {
  url: string;
  heard: Heard[];
  /** Statuses of the next responses; then 200. */
  answers: number[];
  /** Bodies of the next responses; then as configured. */
  bodies: object[];
  /** Waits for that many requests. */
  answered(count: number): Promise<void>;
  stop(): Promise<void>;
}

/** @param bodyOf response to a request. Default: an empty object */
export async function startHttpStandIn(bodyOf: (request: string) => unknown = () => ({})): Promise<HttpStandIn> {
  const heard: Heard[] = [];
  const answers: number[] = [];
  const bodies: object[] = [];
  const emitter = new EventEmitter();
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const asked = `${request.method} ${request.url}`;
      heard.push({ request: asked, authorization: request.headers.authorization, body });
      response.writeHead(answers.shift() ?? 200).end(JSON.stringify(bodies.shift() ?? bodyOf(asked)));
      emitter.emit("answered");
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`,
    heard,
    answers,
    bodies,
    async answered(count) {
      while (heard.length < count) await once(emitter, "answered");
    },
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
