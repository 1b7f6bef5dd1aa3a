import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Partner } from "#workers/contracts/api/people/partners.ts";
import { type User, userRoutes } from "#workers/contracts/api/people/users.ts";
import { apiQuery } from "../../api/queries.ts";
import { Badge } from "../../kit/badge.tsx";
import { Dialog } from "../../kit/form/dialog.tsx";
import { Facts, factEntry } from "../../kit/layout/card.tsx";
import { Empty, Loaded } from "../../kit/states.tsx";
import { Ago } from "../../kit/time.tsx";
import { ROLE_NAMES } from "./roles.ts";

interface PersonDialogProps {
  id: string;
  partners: readonly Partner[];
  onClose: () => void;
}

export default function PersonDialog({ id, partners, onClose }: PersonDialogProps) {
  const query = useQuery(apiQuery(userRoutes.getUser, { params: { user_id: id } }));
  const { data } = query;
  return (
    <Dialog onClose={onClose} wide title={data === undefined ? "User" : data.name || data.email} about={data?.email}>
      <Loaded query={query}>
        {(user) => (
          <div className="flex flex-col gap-4">
            <Facts facts={factsOf(user, partners)} />
            {user.kind === "person" ? <Clients user={user} /> : null}
          </div>
        )}
      </Loaded>
    </Dialog>
  );
}

function factsOf(user: User, partners: readonly Partner[]) {
  const partner = partners.find(({ id }) => id === user.partner_id);
  return [
    factEntry(user.kind === "dashboard" ? "Role" : "Default role", ROLE_NAMES[user.role]),
    ...(partner === undefined ? [] : [factEntry("Partner", partner.name)]),
    factEntry("Added", <Ago at={user.created_at} />),
    ...(user.kind === "person"
      ? [factEntry("First accepted", <Ago at={user.validated_at} />)]
      : [
          factEntry(
            "Managed in",
            user.managed_by === "git" ? "Git: remove the user in the settings file" : "Dashboard",
          ),
        ]),
  ];
}

function Clients({ user: { clients } }: { user: User }) {
  if (clients.length === 0)
    return <Empty title="No clients">Link the user to a client, or invite them on its page.</Empty>;
  return (
    <section aria-label="Clients">
      <h3 className="mb-1 text-[0.8125rem] font-medium">Clients</h3>
      <ul className="flex flex-col">
        {clients.map(({ client_id, slug, role, status }) => (
          <li key={client_id} className="flex items-center gap-3 border-t border-line py-2">
            <Link
              to="/clients/$clientId/users"
              params={{ clientId: client_id }}
              className="min-w-0 flex-1 truncate text-accent underline"
            >
              {slug}
            </Link>
            <span className="text-quiet">{ROLE_NAMES[role]}</span>
            <Badge tone={status === "validated" ? "good" : status === "invited" ? "busy" : "bad"}>{status}</Badge>
          </li>
        ))}
      </ul>
    </section>
  );
}
