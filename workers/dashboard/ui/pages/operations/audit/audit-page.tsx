import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Download } from "lucide-react";
import { auditRoutes } from "#workers/contracts/api/audit.ts";
import { addressOf } from "#workers/dashboard/ui/api/ask.ts";
import { readPages } from "#workers/dashboard/ui/api/queries.ts";
import { ButtonAnchor } from "#workers/dashboard/ui/kit/button.tsx";
import { Card } from "#workers/dashboard/ui/kit/layout/card.tsx";
import { Page } from "#workers/dashboard/ui/kit/layout/page.tsx";
import { Empty } from "#workers/dashboard/ui/kit/states.tsx";
import { EntryPages } from "../entry-pages.tsx";
import type { AuditSearch } from "../search.ts";
import { AuditEntryView } from "./audit-entry.tsx";
import { AuditFilters } from "./audit-filters.tsx";

const route = getRouteApi("/shell/operations/audit");

export default function AuditPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { entity, client: client_id, actor, from, to } = search;
  const query = { entity, client_id, actor, from, to };
  const entries = useInfiniteQuery({
    ...readPages(auditRoutes.listAudit, { query }),
    // No event announces audit entries.
    refetchOnMount: "always",
  });
  const change = (part: Partial<AuditSearch>) =>
    void navigate({ search: (before) => ({ ...before, ...part }), replace: true });
  const filtered = Object.values(search).some((value) => value !== undefined);
  return (
    <Page
      title="Audit"
      about="All changes by users, Git stacks and the automation service. Entries cannot be changed."
      actions={
        <ButtonAnchor href={addressOf(auditRoutes.exportAudit, { query })} download>
          <Download aria-hidden="true" /> {filtered ? "Export filtered entries" : "Export all entries"}
        </ButtonAnchor>
      }
    >
      <AuditFilters search={search} filtered={filtered} onChange={change} />
      <Card flush>
        <EntryPages
          label="Changes"
          query={entries}
          idOf={({ id }) => id}
          empty={
            filtered ? (
              <Empty title="No matching changes">Clear a filter, or extend the period.</Empty>
            ) : (
              <Empty title="No changes yet" />
            )
          }
        >
          {(entry) => <AuditEntryView entry={entry} />}
        </EntryPages>
      </Card>
    </Page>
  );
}
