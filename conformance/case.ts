/** What a case is. */
import type { Client } from "./run/client.ts";
import type { ResourceKind } from "./run/resources.ts";
import type { Scope } from "./run/scope.ts";

/** An operation of Cloudflare's API, such as `GET /zones/:zone_id/dns_records`. */
export type Operation = `${"GET" | "POST" | "PUT" | "PATCH" | "DELETE"} /${string}`;

export interface Product {
  /** Name in the `cloudflare` package, in kebab case. */
  name: string;
  /** Permissions of the token, as the dashboard names them. */
  permission: string;
  /** What an account must have beside the Workers Paid plan. Default: nothing. */
  requires?: string;
  /** Environment variable that an account's run needs. Default: none. */
  variable?: string;
  /** What the cases create. Default: nothing. */
  creates?: readonly ResourceKind[];
  /** Whether the cases work in a zone. Default: false. */
  inZone?: boolean;
  /** Upper bound of what one case costs, in US dollars. Default: 0, included in the plan. */
  costUsd?: number;
  /** The stand-in to change when an account contradicts a case, below `packages/edge/src`. */
  standIn: string;
}

export interface CaseBody {
  /** Called in `run`. */
  operations: readonly Operation[];
  /** One sentence. */
  reliesOn: string;
  /** URL of the documentation, or a path in a repository. */
  source: string;
  /** Why the edge cannot show it. Default: it runs on the edge. */
  notEmulated?: string;
  run(client: Client, scope: Scope): Promise<void>;
}

export interface Case extends CaseBody {
  /** `PRODUCT.WHAT` */
  id: string;
  product: Product;
}

export const NOT_DOCUMENTED = "not documented";

/** @param bodies by the second part of their ids */
export function casesOf(product: Product, bodies: Readonly<Record<string, CaseBody>>): Case[] {
  return Object.entries(bodies).map(([name, body]) => ({ ...body, id: `${product.name}.${name}`, product }));
}
