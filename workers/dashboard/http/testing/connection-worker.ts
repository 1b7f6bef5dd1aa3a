/** A Worker that sends queries without waiting for results, as a read does, and responds with the errors. */
import type { Hyperdrive } from "@cloudflare/workers-types";
import { sql } from "kysely";
import { Connection } from "../connection.ts";

export default {
  async fetch(_: Request, { DB }: { DB: Hyperdrive }): Promise<Response> {
    const connection = new Connection(DB);
    const entering = connection.enter("ada@acme.test", { source: "", requestId: "" });
    const reads = Array.from({ length: 12 }, async (_unused, index) => {
      await scheduler.wait(index % 3);
      await sql`select ${"x".repeat(index)}`.execute(connection.db);
    });
    const ended = await Promise.allSettled([entering, ...reads]);
    const errors = ended.map((one) => (one.status === "fulfilled" ? "none" : textOf(one.reason)));
    return new Response([...new Set(errors)].join("; "));
  },
};

const textOf = ({ message, cause }: Error) => `${message} ${cause instanceof Error ? cause.message : ""}`.trim();
