/** Servers that run beside the edge, on its port. */
import type { Log } from "@tenantry/std/log";
import type { Hono } from "hono";

/** What an extension gets to know of the edge that it runs beside. */
export interface EdgeContext {
  /** Port of everything HTTP on 127.0.0.1. */
  port: number;
  log: Log;
  /** A folder of the state directory, created if missing; only its owner may read it. */
  under(name: string): string;
}

/** Servers that run beside the edge and are served on its port. */
export interface EdgeExtension {
  /** Routes on the edge's own address, by the path that they begin with, such as `/mail`. They check their own credentials. */
  routes: Record<string, Hono>;
  /** Routes below `/local` that take the edge's API token. */
  guarded?: Hono;
  stop(): unknown;
}
