import type { Log } from "@tenantry/std/log";
import type { Hono } from "hono";

/** The edge, for an extension. */
export interface EdgeContext {
  /** Port of everything HTTP on 127.0.0.1. */
  port: number;
  log: Log;
  /** Returns a private folder of the state directory. Creates it when missing. */
  under(name: string): string;
}

/** Servers beside the edge, on its port. */
export interface EdgeExtension {
  /** Routes on the edge's own address by prefix, such as `/mail`. They check their own credentials. */
  routes: Record<string, Hono>;
  /** Routes below `/local` that require the API token. */
  guarded?: Hono;
  stop(): unknown;
}
