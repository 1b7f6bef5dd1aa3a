import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { lazy, Suspense, useCallback, useMemo, useState } from "react";
import { MAX_LIMIT } from "#workers/contracts/api/paging.ts";
import { type User, userRoutes } from "#workers/contracts/api/people/users.ts";
import { usePartners } from "../../api/partners.ts";
import { readPages } from "../../api/queries.ts";
import { useViewer } from "../../api/session.ts";
import { Button } from "../../kit/button.tsx";
import { Card } from "../../kit/layout/card.tsx";
import { Page } from "../../kit/layout/page.tsx";
import { ChoiceFilter, ClearFilters, SearchBox } from "../../kit/list/filters.tsx";
import { PagedTable } from "../../kit/list/paged-table.tsx";
import { PartnerFilter } from "../../kit/list/partner-filter.tsx";
import { Empty } from "../../kit/states.tsx";
import { peopleColumns } from "./people-columns.tsx";
import { type PeopleSearch, userKinds } from "./search.ts";

const CreateDialog = lazy(() => import("./create-dialog.tsx"));
const LinkDialog = lazy(() => import("./link-dialog.tsx"));
const RemoveUserDialog = lazy(() => import("./remove-user-dialog.tsx"));
const PersonDialog = lazy(() => import("./person-dialog.tsx"));

const route = getRouteApi("/shell/people");

type Opened = { what: "create" } | { what: "link" | "remove"; user: User };

export default function PeoplePage() {
  const viewer = useViewer();
  const partners = usePartners();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [opened, setOpened] = useState<Opened>();
  const query = useInfiniteQuery(
    readPages(userRoutes.listUsers, {
      query: { kind: search.kind, partner_id: search.partner, search: search.search, limit: MAX_LIMIT },
    }),
  );
  const change = useCallback(
    (part: Partial<PeopleSearch>) => void navigate({ search: (before) => ({ ...before, ...part }), replace: true }),
    [navigate],
  );
  const close = () => setOpened(undefined);
  const columns = useMemo(
    () =>
      peopleColumns({
        viewer,
        partners,
        onShow: (user) => change({ user: user.id }),
        onOpen: (what, user) => setOpened({ what, user }),
      }),
    [viewer, partners, change],
  );
  const filtered = [search.search, search.kind, search.partner].some((value) => value !== undefined);
  return (
    <Page
      title="People"
      about={
        viewer.isRoot
          ? "Roots, who manage the platform, and users of clients"
          : "Users of your clients, and roots of your partner"
      }
      actions={
        <Button variant="primary" onClick={() => setOpened({ what: "create" })}>
          <Plus aria-hidden="true" /> Add user
        </Button>
      }
    >
      <PeopleFilters search={search} filtered={filtered} onChange={change} />
      <Card flush>
        <PagedTable
          label="People"
          query={query}
          columns={columns}
          idOf={({ id }) => id}
          empty={
            filtered ? (
              <Empty title="No matches">Clear a filter, or search for part of an email address or name.</Empty>
            ) : (
              <Empty title="No users yet">Invite users on a client's page, or add a user here and link them.</Empty>
            )
          }
        />
      </Card>
      <Suspense>
        {opened?.what === "create" ? <CreateDialog partners={partners} onClose={close} /> : null}
        {opened?.what === "link" ? <LinkDialog user={opened.user} onClose={close} /> : null}
        {opened?.what === "remove" ? <RemoveUserDialog user={opened.user} onClose={close} /> : null}
        {search.user === undefined ? null : (
          <PersonDialog id={search.user} partners={partners} onClose={() => change({ user: undefined })} />
        )}
      </Suspense>
    </Page>
  );
}

const KINDS = { dashboard: "Roots", person: "Client users" } as const;

interface PeopleFiltersProps {
  search: PeopleSearch;
  filtered: boolean;
  onChange: (part: Partial<PeopleSearch>) => void;
}

function PeopleFilters({ search, filtered, onChange }: PeopleFiltersProps) {
  const find = useCallback((text: string) => onChange({ search: text === "" ? undefined : text }), [onChange]);
  return (
    <search className="flex flex-wrap items-center gap-2">
      <SearchBox
        label="Search people by email or name"
        placeholder="Search by email or name"
        text={search.search ?? ""}
        onChange={find}
      />
      <ChoiceFilter
        name="Kind"
        value={search.kind}
        values={userKinds}
        nameOf={(kind) => KINDS[kind]}
        onChange={(kind) => onChange({ kind })}
      />
      <PartnerFilter value={search.partner} onChange={(partner) => onChange({ partner })} />
      {filtered ? (
        <ClearFilters onClear={() => onChange({ search: undefined, kind: undefined, partner: undefined })} />
      ) : null}
    </search>
  );
}
