/** What a request carries with it on its way through the dashboard. */
import type { Context, Hono } from "hono";
import type { SecureHeadersVariables } from "hono/secure-headers";
import type { Env } from "./env.ts";
import type { Connection } from "./http/connection.ts";
import type { Caller } from "./identity/caller.ts";

export interface Types {
  Bindings: Env;
  Variables: SecureHeadersVariables & {
    connection: Connection;
    /** Rejects with what is told to who is no user. */
    caller: Promise<Caller>;
    requestId: string;
    /** Of an answer that is no page. */
    ownHeaders?: [name: string, value: string][];
  };
}
export type App = Hono<Types>;
export type AppContext = Context<Types>;
