import { useInfiniteQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { MAX_LIMIT } from "#workers/contracts/api/paging.ts";
import { type ClientUser, clientUserRoutes } from "#workers/contracts/api/people/invitations.ts";
import { readPages } from "#workers/dashboard/ui/api/queries.ts";
import { clientAddress } from "#workers/dashboard/ui/kit/addresses.ts";
import { Button, ButtonLink } from "#workers/dashboard/ui/kit/button.tsx";
import { Card } from "#workers/dashboard/ui/kit/layout/card.tsx";
import { PagedTable } from "#workers/dashboard/ui/kit/list/paged-table.tsx";
import type { Column } from "#workers/dashboard/ui/kit/list/table.tsx";
import { Empty } from "#workers/dashboard/ui/kit/states.tsx";
import { Ago, Moment, useNow } from "#workers/dashboard/ui/kit/time.tsx";
import { ROLE_NAMES } from "../../people/roles.ts";
import { type ClientTab, clientTab } from "../detail/client-frame.tsx";
import { TokensCard } from "./tokens/tokens-card.tsx";
import { InvitationBadge, MailBadge } from "./user-badges.tsx";
import { UserMenu } from "./user-menu.tsx";

const InviteDialog = lazy(() => import("./invite-dialog.tsx"));
const EditDialog = lazy(() => import("./edit-dialog.tsx"));
const RemoveDialog = lazy(() => import("./remove-dialog.tsx"));

type Opened = { what: "invite" } | { what: "edit" | "remove"; id: string };

export default clientTab("users", Users);

function Users({ client }: ClientTab) {
  return (
    <>
      <UsersCard client={client} />
      <TokensCard client={client} />
    </>
  );
}

export function UsersCard({ client }: Pick<ClientTab, "client">) {
  const [opened, setOpened] = useState<Opened>();
  const query = useInfiniteQuery(
    readPages(clientUserRoutes.listClientUsers, { params: { client_id: client.id }, query: { limit: MAX_LIMIT } }),
  );
  const users = query.data?.pages.flatMap(({ data }) => data) ?? [];
  // From the list, so that an open dialog shows the current state.
  const chosen = opened !== undefined && "id" in opened ? users.find(({ id }) => id === opened.id) : undefined;
  const close = () => setOpened(undefined);
  const canInvite = client.instance !== null && client.delete_after === null;
  const invite = (
    <Button variant="primary" onClick={() => setOpened({ what: "invite" })}>
      <Plus aria-hidden="true" /> Invite user
    </Button>
  );
  return (
    <>
      <Card
        title="Users"
        about="Who may use the agent, and who is invited."
        actions={canInvite ? invite : undefined}
        flush
      >
        <PagedTable
          label="Users"
          query={query}
          columns={userColumns((what, user) => setOpened({ what, id: user.id }), client.delete_after === null)}
          idOf={({ id }) => id}
          empty={
            canInvite ? (
              <Empty title="No users yet" action={invite}>
                An invited user receives a mail with a link that is valid for seven days.
              </Empty>
            ) : (
              <Empty
                title="No users yet"
                action={<ButtonLink to={clientAddress(client.id)}>Go to overview</ButtonLink>}
              >
                {client.instance === null
                  ? "Users are invited to the instance. Provision it first."
                  : "The client will be deleted. Restore it first."}
              </Empty>
            )
          }
        />
        {users.some(({ mail_status }) => mail_status === "queued") ? (
          <p className="px-4 py-3 text-quiet">A queued mail is usually sent within two minutes.</p>
        ) : null}
      </Card>
      <Suspense>
        {opened?.what === "invite" ? <InviteDialog client={client} onClose={close} /> : null}
        {chosen !== undefined && opened?.what === "edit" ? (
          <EditDialog key={chosen.id} user={chosen} onClose={close} />
        ) : null}
        {chosen !== undefined && opened?.what === "remove" ? (
          <RemoveDialog key={chosen.id} user={chosen} client={client} onClose={close} reload={query.refetch} />
        ) : null}
      </Suspense>
    </>
  );
}

const userColumns = (
  open: (what: "edit" | "remove", user: ClientUser) => void,
  canMail: boolean,
): readonly Column<ClientUser>[] => [
  { header: "User", share: 2.4, cell: (user) => <NameAndEmail {...user} /> },
  { header: "Role", from: "md", cell: ({ role }) => ROLE_NAMES[role] },
  {
    header: "Invitation",
    share: 1.8,
    cell: (user) => (
      <span className="flex flex-col items-start gap-0.5">
        <InvitationBadge user={user} />
        <span className="text-xs text-quiet lg:hidden">
          <BelowBadge user={user} />
        </span>
      </span>
    ),
  },
  { header: "Mail", from: "sm", cell: (user) => <MailBadge user={user} /> },
  { header: "Date", from: "lg", share: 1.4, cell: (user) => <Since {...user} /> },
  {
    header: "Actions",
    width: 60,
    right: true,
    cell: (user) => <UserMenu user={user} canMail={canMail} onOpen={(what) => open(what, user)} />,
  },
];

const NameAndEmail = ({ name, email, role }: ClientUser) => (
  <>
    {name === "" ? (
      email
    ) : (
      <>
        <span className="font-medium">{name}</span> <span className="text-quiet">{email}</span>
      </>
    )}
    <span className="block text-xs text-quiet md:hidden">{ROLE_NAMES[role]}</span>
  </>
);

/** Of a narrow table, which has no columns for it: the mail that failed, or the end of the invitation. */
function BelowBadge({ user }: { user: ClientUser }) {
  const { mail_status, expires_at } = user;
  const now = useNow();
  if (mail_status === "bounced" || mail_status === "failed")
    return (
      <span className="sm:hidden">
        <MailBadge user={user} />
      </span>
    );
  if (expires_at === null || Date.parse(expires_at) <= now) return null;
  return (
    <>
      until <Moment at={expires_at} date />
    </>
  );
}

function Since({ status, validated_at, expires_at }: ClientUser) {
  const now = useNow();
  if (status === "rejected") return <span className="text-quiet">Rejected</span>;
  if (status === "validated") return <>Accepted {validated_at === null ? null : <Ago at={validated_at} />}</>;
  if (expires_at === null) return null;
  return (
    <>
      {Date.parse(expires_at) <= now ? "Expired" : "Expires"} <Moment at={expires_at} date />
    </>
  );
}
