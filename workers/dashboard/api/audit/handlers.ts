import type { Kysely } from "kysely";
import { type ListedEntry, listAudit } from "#database/audit.ts";
import type { DB } from "#database/types.ts";
import { type AuditEntry, type auditRoutes, NDJSON } from "#workers/contracts/api/audit.ts";
import { jsonLines } from "../../http/json-lines.ts";
import type { Handlers } from "../../http/serve.ts";

/** Entries of an export per query. */
const PAGE = 250;

export const auditHandlers: Handlers<typeof auditRoutes> = {
  async listAudit({ db, query: { limit, after, ...filter } }) {
    const found = await listAudit(db, { limit: limit + 1, after, filter });
    const page = found.slice(0, limit);
    return {
      data: page.map(entryBody),
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
