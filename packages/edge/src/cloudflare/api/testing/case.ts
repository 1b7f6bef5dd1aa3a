/** How a test drives one part of the API through the official SDK. */
import type Cloudflare from "cloudflare";
import type { ApiPart } from "../part.ts";
import { type ApiServer, account_id, uploadScript } from "./api-server.ts";

/** A list as its client sees it. */
export interface Listed {
  ids: unknown[];
  /** Pages that held anything. */
  pages: number;
}

export interface Case {
  part: ApiPart;
  /** What must be there first. */
  prepare?: (server: ApiServer) => Promise<unknown>;
  /** Makes the `n`th and returns its id. */
  create?: (cloudflare: Cloudflare, n: number) => Promise<string>;
  /** Ids of things that are there without being made. */
  given?: string[];
  read?: (cloudflare: Cloudflare, id: string) => Promise<unknown>;
  /** What a read must hold, once `n` was made. */
  expected?: (n: number) => object;
  /** Lists two to a page where the endpoint has pages. */
  list?: (cloudflare: Cloudflare) => Promise<Listed>;
  /** Pages in which three come: 2 unless the endpoint has no pages. */
  pages?: number;
  update?: (cloudflare: Cloudflare, id: string) => Promise<unknown>;
  updated?: object;
  remove?: (cloudflare: Cloudflare, id: string) => Promise<unknown>;
  /** An id that could be, and what a read of it answers. */
  missing?: { id: string; status: number; code: number };
  /** Any call, for the test with a wrong token; `read` unless given. */
  call?: (cloudflare: Cloudflare) => Promise<unknown>;
}

interface PageOf<T> {
  iterPages(): AsyncIterable<{ getPaginatedItems(): T[] }>;
}

/** Follows a list to its end, as the SDK pages it. */
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

/** An id that was given out, or a clear failure of the test. */
export function given(id: string | null | undefined): string {
  if (id === null || id === undefined || id === "") throw new Error("the API answered no id");
  return id;
}

export const noHex = "0".repeat(32);
export const noUuid = "00000000-0000-4000-8000-000000000000";

/** Prepares a dispatch namespace `tenants`. */
export async function withNamespace({ cloudflare }: ApiServer): Promise<void> {
  await cloudflare.workersForPlatforms.dispatch.namespaces.create({ account_id, name: "tenants" });
}

/** Prepares a script `app` of the account. */
export async function withScript({ cloudflare }: ApiServer): Promise<void> {
  await uploadScript(cloudflare, "app");
}
