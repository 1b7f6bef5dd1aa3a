/** A Worker holds an origin connection for one transaction: developers.cloudflare.com/hyperdrive/concepts/connection-pooling/ */
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { createServer, type Socket } from "node:net";
import { listen } from "@tenantry/std/listening";
import type { Weather } from "#weather/weather.ts";
import type { Origin } from "./origin-connection.ts";
import { OriginPool } from "./origin-pool.ts";
import { Session } from "./session.ts";

export interface Pooler {
  /** Returns the URL for Workers. */
  connectionString(id: string): string;
  stop(): Promise<void>;
}

/** First bytes of a query: Query and Parse. */
const QUERIES = ["Q", "P"].map((type) => type.charCodeAt(0));

/** A dropped connection ends at one of its first queries, so that a transaction ends before, in or after its commit. */
const CUT_WITHIN = 4;

/** Cuts a connection at its nth query, which the database may have run. */
function cutAtQuery(client: Socket, nth: number): void {
  let count = 0;
  client.on("data", ([type]: Buffer) => {
    if (type === undefined || !QUERIES.includes(type)) return;
    count += 1;
    if (count === nth) client.destroy();
  });
}

/** @param originOf returns the current database of a configuration, or undefined for an unknown one @param weather Default: no faults. */
export async function startPooler(originOf: (id: string) => Origin | undefined, weather?: Weather): Promise<Pooler> {
  const secret = randomBytes(32);
  const pools = new Map<string, { origin: string; pool: OriginPool }>();
  const open = new Set<Socket>();

  const passwordOf = (id: string): Buffer => createHmac("sha256", secret).update(id).digest();

  const poolOf = (id: string): OriginPool | undefined => {
    const origin = originOf(id);
    const key = JSON.stringify(origin);
    const known = pools.get(id);
    if (known !== undefined && known.origin === key) return known.pool;
    known?.pool.close();
    pools.delete(id);
    if (origin === undefined) return undefined;
    const { cache } = origin;
    const pace = (ms: number) => weather?.duration(ms) ?? ms;
    const times = cache && { maxAge: pace(cache.maxAge), staleWhileRevalidate: pace(cache.staleWhileRevalidate) };
    const pool = new OriginPool({ ...origin, cache: times }, weather?.now ?? Date.now);
    pools.set(id, { origin: key, pool });
    return pool;
  };

  const login = (user: string, password: string): OriginPool | undefined => {
    const given = Buffer.from(password, "hex");
    const right = passwordOf(user);
    return given.length === right.length && timingSafeEqual(given, right) ? poolOf(user) : undefined;
  };

  const server = createServer((client) => {
    open.add(client);
    client.once("close", () => open.delete(client));
    new Session(client, login);
    const dropped = weather?.next("hyperdrive", "connect");
    if (dropped !== undefined) cutAtQuery(client, 1 + Math.floor(dropped.amount * CUT_WITHIN));
  });
  const port = await listen(server, { port: 0 });
  return {
    connectionString: (id) => {
      const database = encodeURIComponent(originOf(id)?.database ?? "");
      return `postgres://${id}:${passwordOf(id).toString("hex")}@127.0.0.1:${port}/${database}?sslmode=disable`;
    },
    stop: async () => {
      for (const { pool } of pools.values()) pool.stop();
      for (const client of open) client.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
