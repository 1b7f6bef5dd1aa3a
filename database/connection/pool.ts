import pg from "pg";

/**
 * A pool whose lost connections do not end the process: a server that stops ends connections that are idle, closing or held between two
 * queries, and the next query reports it.
 */
export function openPool(config: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool(config);
  pool.on("error", () => undefined);
  pool.on("connect", (client) => client.on("error", () => undefined));
  return pool;
}
