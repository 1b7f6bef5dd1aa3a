import { readFileSync } from "node:fs";
import { Agent, createServer, request } from "node:http";
import { join } from "node:path";
import { listen } from "@tenantry/std/listening";
import type { Edge } from "#local/edge.ts";
import { sql } from "#tests/testing/sql.ts";

export interface Calls {
  api: Readonly<Record<string, number>>;
  /** Includes `begin` and `commit`. */
  statements: number;
}

export interface CallCounter {
  apiUrl: string;
  during(work: () => Promise<unknown>): Promise<Calls>;
  close(): Promise<void>;
}

const STATEMENT = /LOG: {2}(?:statement|execute [^:]*): /g;

export async function countCalls(edge: Edge, role: string): Promise<CallCounter> {
  const counts = new Map<string, number>();
  const agent = new Agent({ keepAlive: true });
  const server = createServer((incoming, outgoing) => {
    const { method = "GET", url = "/", headers } = incoming;
    counts.set(method, (counts.get(method) ?? 0) + 1);
    const forwarded = request({ host: "127.0.0.1", port: edge.port, path: url, method, headers, agent }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
    });
    forwarded.on("error", () => outgoing.destroy());
    incoming.pipe(forwarded);
  });
  const port = await listen(server, { port: 0 });
  const log = join(edge.directory, "postgres/postgres.log");
  const statements = () => readFileSync(log, "utf8").match(STATEMENT)?.length ?? 0;
  return {
    apiUrl: edge.apiUrl.replace(`:${edge.port}`, `:${port}`),
    during: async (work) => {
      counts.clear();
      await sql(edge, `alter role ${role} set log_statement = 'all'`);
      const before = statements();
      try {
        await work();
        return { api: Object.fromEntries(counts), statements: statements() - before };
      } finally {
        await sql(edge, `alter role ${role} reset log_statement`);
      }
    },
    close: async () => {
      agent.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
