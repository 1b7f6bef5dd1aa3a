import type { Kysely } from "kysely";
import type { DB } from "#database/types.ts";
import type { Settings } from "../env.ts";
import type { TenantUser } from "../identity/tenant-user.ts";
import type { PageContent, PageLink } from "./frame.tsx";

export interface PageCall {
  db: Kysely<DB>;
  settings: Settings;
  person: TenantUser;
  query: Readonly<Record<string, string>>;
  /** Address of the tenant. */
  tenant: string;
}

/** A page of the console. */
export interface ConsolePage extends PageLink {
  load(call: PageCall): Promise<PageContent>;
}
