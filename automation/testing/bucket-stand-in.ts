/** Stand-in for Cloudflare's API of R2 buckets: one bucket with objects. */
import { once } from "node:events";
import { createServer } from "node:http";

export interface BucketStandIn {
  url: string;
  /** Sizes by key; undefined once the bucket is deleted. */
  objects: Map<string, number> | undefined;
  /** Called before an object is deleted. */
  beforeDelete: (key: string) => Promise<void>;
  stop(): Promise<void>;
}

export async function startBucketStandIn(
  name: string,
  objects: Readonly<Record<string, number>>,
): Promise<BucketStandIn> {
  const standIn = { objects: new Map(Object.entries(objects)) } as BucketStandIn;
  standIn.beforeDelete = async () => undefined;
  const server = createServer((request, response) => {
    void (async () => {
      const path = decodeURIComponent(request.url ?? "").replace(/\?.*$/, "");
      const below = path.split("/r2/buckets/")[1] ?? "";
      const key = below.slice(`${name}/objects/`.length);
      const send = (status: number, result: unknown) =>
        response
          .writeHead(status, { "content-type": "application/json" })
          .end(JSON.stringify({ success: status === 200, errors: [], messages: [], result, result_info: {} }));
      const held = standIn.objects;
      if (held === undefined || !below.startsWith(name)) return send(404, null);
      if (request.method === "DELETE" && below === name) {
        if (held.size > 0) return send(409, null);
        standIn.objects = undefined;
        return send(200, {});
      }
      if (request.method === "DELETE") {
        await standIn.beforeDelete(key);
        held.delete(key);
        return send(200, { key });
      }
      if (below === name) return send(200, { name, creation_date: "2026-11-02T09:00:00.000Z" });
      return send(
        200,
        [...held].map(([key, size]) => ({ key, size })),
      );
    })();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  standIn.url = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}/client/v4`;
  standIn.stop = () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return standIn;
}
