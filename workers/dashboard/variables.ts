/** Variables of a request in Hono's context. */
import type { Context, Hono } from "hono";
import type { SecureHeadersVariables } from "hono/secure-headers";
import type { Env } from "./env.ts";
import type { Connection, Origin } from "./http/connection.ts";
import type { Caller } from "./identity/caller.ts";

export interface Types {
  Bindings: Env;
  Variables: SecureHeadersVariables & {
    connection: Connection;
    /** Rejects with a failure if the address does not belong to a user. */
    caller: Promise<Caller>;
    origin: Origin;
    /** Headers that replace those of pages. */
    ownHeaders?: [name: string, value: string][];
  };
}
export type App = Hono<Types>;
export type AppContext = Context<Types>;
