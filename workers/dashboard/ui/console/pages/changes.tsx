import { useInfiniteQuery } from "@tanstack/react-query";
import { auditRoutes } from "#workers/contracts/api/audit.ts";
import { readPages } from "#workers/dashboard/ui/api/queries.ts";
import { Card } from "#workers/dashboard/ui/kit/layout/card.tsx";
import { Empty } from "#workers/dashboard/ui/kit/states.tsx";
import { AuditEntryView } from "#workers/dashboard/ui/pages/operations/audit/audit-entry.tsx";
import { EntryPages } from "#workers/dashboard/ui/pages/operations/entry-pages.tsx";
import { TenantPage } from "../tenant-page.tsx";

export default function Changes() {
  return (
    <TenantPage
      title="Changes"
      about="Changes of settings by your users, your operator and the platform, and views of this console by operators. Restores are under Backups; what the agent does itself is not listed. Entries cannot be changed."
    >
      {() => <ChangeList />}
    </TenantPage>
  );
}

function ChangeList() {
  // No event announces audit entries.
  const entries = useInfiniteQuery({ ...readPages(auditRoutes.listAudit, { query: {} }), refetchOnMount: "always" });
  return (
    <Card flush>
      <EntryPages label="Changes" query={entries} idOf={({ id }) => id} empty={<Empty title="No changes yet" />}>
        {(entry) => <AuditEntryView entry={entry} />}
      </EntryPages>
    </Card>
  );
}
