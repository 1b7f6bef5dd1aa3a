import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
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
import { AuditEntryView } from "./audit-entry.tsx";
import { AuditFilters } from "./audit-filters.tsx";
import type { AuditSearch } from "./search.ts";

const route = getRouteApi("/shell/operations/audit");

export function AuditPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { entity, client: client_id, actor, from, to } = search;
  const query = { entity, client_id, actor, from, to };
  const entries = useInfiniteQuery({
    ...readPages(auditRoutes.listAudit, { query }),
    placeholderData: keepPreviousData,
    // Nothing tells of it: whoever looks reads it.
    refetchOnMount: "always",
  });
  const change = (part: Partial<AuditSearch>) =>
    void navigate({ search: (before) => ({ ...before, ...part }), replace: true });
  const filtered = Object.values(search).some((value) => value !== undefined);
  return (
    <Page
      title="Audit"
      about="Every change, by whomever: people, Git's stacks and the automation service. Nobody can change an entry."
      actions={
        <ButtonAnchor href={addressOf(auditRoutes.exportAudit, { query })} download>
          <Download aria-hidden="true" /> Export{filtered ? " what is shown" : ""}
        </ButtonAnchor>
      }
    >
      <AuditFilters search={search} onChange={change} />
      <Card flush>
        <EntryPages
          label="Changes"
          query={entries}
          idOf={({ id }) => id}
          empty={
            filtered ? (
              <Empty title="No change is like that">Take a filter away, or ask for a longer time.</Empty>
            ) : (
              <Empty title="Nothing was changed yet" />
            )
          }
        >
          {(entry) => <AuditEntryView entry={entry} />}
        </EntryPages>
      </Card>
    </Page>
  );
}
