/** What the routes of the audit log do. */
import { type ListedEntry, listAudit } from "../../../../database/audit.ts";
import { type AuditEntry, type auditRoutes, NDJSON } from "../../../contracts/api/audit.ts";
import type { Handlers } from "../../http/serve.ts";

/** Entries that are asked for at once. */
const BATCH = 500;
/** Entries that one call exports. Its transaction waits for no reader, so the whole answer is held in memory. */
const MOST = 5_000;

export const auditHandlers: Handlers<typeof auditRoutes> = {
  async listAudit({ db, query: { limit, after, ...filter } }) {
    const found = await listAudit(db, { limit: limit + 1, after, filter });
    const page = found.slice(0, limit);
    return {
      data: page.map(entryBody),
      pagination: { next: found.length > limit ? (page.at(-1)?.id ?? null) : null },
    };
  },

  async exportAudit({ db, query: { after: first, ...filter }, request }) {
    const lines: string[] = [];
    let after = first;
    let more = true;
    while (more && lines.length < MOST) {
      const batch = await listAudit(db, { limit: BATCH, after, filter });
      lines.push(...batch.map((entry) => `${JSON.stringify(entryBody(entry))}\n`));
      after = batch.at(-1)?.id;
      more = batch.length === BATCH;
    }
    const headers = new Headers({
      "content-type": NDJSON,
      "content-disposition": 'attachment; filename="audit.ndjson"',
    });
    if (more && after !== undefined) {
      const { pathname, searchParams } = new URL(request.url);
      searchParams.set("after", after);
      headers.set("link", `<${pathname}?${searchParams}>; rel="next"`);
    }
    return new Response(lines.join(""), { headers });
  },
};

function entryBody({ at, ...entry }: ListedEntry): AuditEntry {
  return { ...entry, at: at.toISOString() };
}
