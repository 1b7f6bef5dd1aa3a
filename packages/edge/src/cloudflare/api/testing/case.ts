import type Cloudflare from "cloudflare";
import type { ApiPart } from "../operations.ts";
import { type ApiServer, account_id, uploadScript } from "./api-server.ts";

export interface Listed {
  ids: unknown[];
  /** Number of non-empty pages. */
  pages: number;
}

export interface Case {
  part: ApiPart;
  /** Creates prerequisites. */
  prepare?: (server: ApiServer) => Promise<unknown>;
  /** Creates the `n`th and returns its id. */
  create?: (cloudflare: Cloudflare, n: number) => Promise<string>;
  /** Ids of predefined resources. */
  given?: string[];
  read?: (cloudflare: Cloudflare, id: string) => Promise<unknown>;
  /** Expected properties of the `n`th. */
  expected?: (n: number) => object;
  /** Lists with two items per page, if the endpoint has pages. */
  list?: (cloudflare: Cloudflare) => Promise<Listed>;
  /** Number of pages of three items. Default: 2. */
  pages?: number;
  update?: (cloudflare: Cloudflare, id: string) => Promise<unknown>;
  updated?: object;
  remove?: (cloudflare: Cloudflare, id: string) => Promise<unknown>;
  /** A well-formed unknown id, and the response to a read of it. */
  missing?: { id: string; status: number; code: number };
  /** A call for the test with a wrong token. Default: `read`. */
  call?: (cloudflare: Cloudflare) => Promise<unknown>;
}

interface PageOf<T> {
  iterPages(): AsyncIterable<{ getPaginatedItems(): T[] }>;
}

/** Reads all pages of a list. */
export async function follow<T>(first: PromiseLike<PageOf<T>>, idOf: (item: T) => unknown): Promise<Listed> {
  const ids: unknown[] = [];
  let pages = 0;
  for await (const page of (await first).iterPages()) {
    const items = page.getPaginatedItems();
    if (items.length > 0) pages += 1;
    ids.push(...items.map(idOf));
  }
  return { ids, pages };
}

/** Returns an id. @throws Error when it is missing */
export function given(id: string | null | undefined): string {
  if (id === null || id === undefined || id === "") throw new Error("the API answered no id");
  return id;
}

export const noHex = "0".repeat(32);
export const noUuid = "00000000-0000-4000-8000-000000000000";

/** Creates a dispatch namespace `tenants`. */
export async function withNamespace({ cloudflare }: ApiServer): Promise<void> {
  await cloudflare.workersForPlatforms.dispatch.namespaces.create({ account_id, name: "tenants" });
}

/** Creates a script `app` of the account. */
export async function withScript({ cloudflare }: ApiServer): Promise<void> {
  await uploadScript(cloudflare, "app");
}
