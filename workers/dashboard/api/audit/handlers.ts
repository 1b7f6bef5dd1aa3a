import type { Kysely } from "kysely";
import { type ListedEntry, listAudit } from "#database/audit.ts";
import type { DB } from "#database/types.ts";
import { type AuditEntry, type auditRoutes, NDJSON } from "#workers/contracts/api/audit.ts";
import { jsonLines } from "../../http/json-lines.ts";
import type { Handlers } from "../../http/serve.ts";
import { TENANT_ENTITIES, tenantEntry } from "./tenant-entries.ts";

const EMPTY = { data: [], pagination: { next: null } };
/** Entries of an export per query. */
const PAGE = 250;

export const auditHandlers: Handlers<typeof auditRoutes> = {
  async listAudit({ db, caller, query: { limit, after, ...filter } }) {
    const { tenant } = await caller;
    const entities = tenant && TENANT_ENTITIES;
    // A filter would confirm the address of an operator.
    if (tenant !== undefined && filter.actor !== undefined && !tenant.admins.includes(filter.actor)) return EMPTY;
    const found = await listAudit(db, {
      limit: limit + 1,
      after,
      filter: { client_id: tenant?.clientId, ...filter, entities },
    });
    const page = found.slice(0, limit);
    const entries = page.map(entryBody);
    return {
      data: tenant === undefined ? entries : entries.flatMap((entry) => tenantEntry(entry, tenant) ?? []),
      pagination: { next: found.length > limit ? (page.at(-1)?.id ?? null) : null },
    };
  },

  async exportAudit({ db, query: { after: first, ...filter }, inNewTransaction }) {
    const page = async (db: Kysely<DB>, after: string | undefined) =>
      (await listAudit(db, { limit: PAGE, after, filter })).map(entryBody);
    // One transaction per page, so that none stays open for a slow client.
    const lines = jsonLines(await page(db, first), ({ id }) => inNewTransaction((db) => page(db, id)));
    return new Response(lines, {
      headers: { "content-type": NDJSON, "content-disposition": 'attachment; filename="audit.ndjson"' },
    });
  },
};

const entryBody = ({ at, ...entry }: ListedEntry): AuditEntry => ({ ...entry, at: at.toISOString() });
