/** A route of the control plane's API, declared once: its inputs, its response and its callers. */
import type * as z from "zod";
import { clientRoles, rootRoles } from "#domain/entities/user.ts";
import type { ErrorCode } from "#domain/errors/codes.ts";

/** Platform roots alone. */
export const ROOT_ONLY = ["ROOT"] as const;
/** Platform roots, and partner roots within their partner. */
export const BOTH_ROOTS = rootRoles;
/** Authorization levels (spec: "Dashboard authorization levels"). */
export type RootRole = (typeof BOTH_ROOTS)[number];
/** A public route, without login: it runs with no caller and no database role. */
export const ANYONE = "anyone";
/**
 * Users of a tenant, and its ADMINs alone: routes of the console, with the tenant's slug in the path. They log in at the tenant, and act through
 * functions of schema `dashboard`.
 */
export const TENANT_USERS = clientRoles;
export const TENANT_ADMINS = ["ADMIN"] as const;
export type TenantRole = (typeof TENANT_USERS)[number];
/**
 * Platform roots or all roots, and the ADMINs or all users of a tenant within their client. Roots call these routes at their path, users of a tenant at the same path
 * below the console's (`consoleApi` in `domain/access/access-addresses.ts`).
 */
export const ROOT_AND_ADMINS = [...ROOT_ONLY, "ADMIN"] as const;
export const ROOTS_AND_ADMINS = [...rootRoles, "ADMIN"] as const;
export const ROOTS_AND_TENANT_USERS = [...rootRoles, ...clientRoles] as const;
/** Roles of people in the API. */
export type Role = RootRole | TenantRole;

export interface Route {
  readonly method: "get" | "post" | "put" | "delete";
  /** Parameters start with a colon. */
  readonly path: `/${string}`;
  readonly tag: string;
  readonly summary: string;
  readonly callers: readonly Role[] | typeof ANYONE;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  /** JSON body of the request. Default: none. */
  readonly body?: z.ZodType;
  /** A body that is not JSON: its media types and maximum size. */
  readonly upload?: {
    readonly types: readonly string[];
    readonly maxBytes: number;
    /** Whether the handler reads the body as it arrives, because it does not fit into memory. Default: false. */
    readonly streams?: true;
  };
  /** JSON body of the response. Default: none, status 204. A body with a `version` has it as its `ETag`. */
  readonly answer?: z.ZodType;
  /** Media types of a response that is not JSON; the handler returns the whole response. */
  readonly produces?: readonly string[];
  /** Default: 200, or 204 without a body. */
  readonly status?: 200 | 201 | 202;
  /** Whether the response has secrets: the response that is stored for an `Idempotency-Key` is then encrypted. Default: false. */
  readonly confidential?: boolean;
  /** Errors beyond those of every route. */
  readonly refusals?: readonly ErrorCode[];
  /** Whether the route checks `If-Match`. Default: false. */
  readonly versioned?: boolean;
}

type Callers = Route["callers"];

/** Whether users of the dashboard may call, who log in at its host. */
export const admitsRoots = (callers: Callers): callers is readonly Role[] =>
  callers !== ANYONE && callers.some((role) => role === "ROOT");

/** Whether users of a tenant may call, who log in at the tenant. */
export const admitsTenantUsers = (callers: Callers): callers is readonly Role[] =>
  callers !== ANYONE && callers.some((role) => role === "ADMIN");

/** Whether only users of a tenant may call. */
export const isOfConsole = (callers: Callers): callers is readonly TenantRole[] =>
  admitsTenantUsers(callers) && !admitsRoots(callers);

type Declaration = Omit<Route, "method" | "path" | "tag">;

/** Declares a route; keeps the types of its schemas. */
export const route = <const M extends Route["method"], const P extends Route["path"], const D extends Declaration>(
  method: M,
  path: P,
  declared: D,
) => ({ method, path, ...declared });

/** An entity's routes by their names, which are the operations' ids. */
export type Routes = Readonly<Record<string, Route>>;

/** Declares an entity's routes, grouped in the API's reference under a tag. */
export const routes = <const R extends Readonly<Record<string, Omit<Route, "tag">>>>(tag: string, declared: R) =>
  Object.fromEntries(Object.entries(declared).map(([name, one]) => [name, { ...one, tag }])) as {
    readonly [Name in keyof R]: R[Name] & { readonly tag: string };
  };
