/** A route of the control plane, declared once: what it takes, what it answers and who may call it. */
import type * as z from "zod";
import { rootRoles } from "#domain/entities/user.ts";
import type { ErrorCode } from "../errors.ts";

/** Platform roots alone. */
export const ROOT_ONLY = ["ROOT"] as const;
/** Platform roots, and partner roots for what is their partner's. */
export const BOTH_ROOTS = rootRoles;
/** Levels of authorization (spec: "Dashboard authorization levels"). */
export type RootRole = (typeof BOTH_ROOTS)[number];
/** Whoever asks, logged in or not: such a route has neither a caller nor a role of the database. */
export const ANYONE = "anyone";

export interface Route {
  readonly method: "get" | "post" | "put" | "delete";
  /** As the spec writes it: parameters begin with a colon. */
  readonly path: `/${string}`;
  readonly tag: string;
  readonly summary: string;
  readonly callers: readonly RootRole[] | typeof ANYONE;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  /** JSON of the request. Default: none. */
  readonly body?: z.ZodType;
  /** A body that is no JSON: what it may be, and most bytes of it. */
  readonly upload?: { readonly types: readonly string[]; readonly maxBytes: number };
  /** JSON of the answer. Default: none, status 204. An answer with a `version` carries it as its `ETag`. */
  readonly answer?: z.ZodType;
  /** Media types of an answer that is no JSON: the handler makes the whole response. */
  readonly produces?: readonly string[];
  /** Default: 200, or 204 without an answer. */
  readonly status?: 200 | 201 | 202;
  /** Refusals beyond those that any route has. */
  readonly refusals?: readonly ErrorCode[];
  /** Whether `If-Match` is heeded. Default: false. */
  readonly versioned?: boolean;
}

/** Declares a route; keeps the types of its schemas. */
export const route = <const R extends Route>(declared: R): R => declared;

/** An entity's routes by their names, which are the operations' ids. */
export type Routes = Readonly<Record<string, Route>>;
