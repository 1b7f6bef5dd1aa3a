import { Eye, Link2, Trash2 } from "lucide-react";
import type { Partner } from "#workers/contracts/api/people/partners.ts";
import type { User } from "#workers/contracts/api/people/users.ts";
import type { Viewer } from "../../api/session.ts";
import { Badge, type Tone } from "../../kit/badge.tsx";
import type { Column } from "../../kit/list/table.tsx";
import { ActionsMenu } from "../../kit/menu/menu.tsx";
import { Ago } from "../../kit/time.tsx";
import { INVITATION_NAMES } from "../clients/users/user-badges.tsx";
import { ROLE_NAMES } from "./roles.ts";

const MAX_CLIENTS = 2;
const STATES: Readonly<Record<NonNullable<User["status"]>, Tone>> = {
  invited: "busy",
  validated: "good",
  rejected: "bad",
};

interface PeopleColumnsOptions {
  viewer: Viewer;
  partners: readonly Partner[];
  onShow: (user: User) => void;
  onOpen: (what: "link" | "remove", user: User) => void;
}

export function peopleColumns({ viewer, partners, onShow, onOpen }: PeopleColumnsOptions): readonly Column<User>[] {
  const names = new Map(partners.map(({ id, name }) => [id, name]));
  const partner: Column<User> = {
    header: "Partner",
    from: "lg",
    share: 1.2,
    cell: ({ partner_id }) =>
      partner_id === null ? <span className="text-quiet">Internal</span> : (names.get(partner_id) ?? "…"),
  };
  return [
    {
      header: "User",
      share: 2,
      cell: (user) => (
        <button
          type="button"
          onClick={() => onShow(user)}
          className="max-w-full truncate rounded-sm text-left hover:underline"
        >
          {user.name === "" ? null : <span className="font-medium">{user.name} </span>}
          <span className={user.name === "" ? "font-medium" : "text-quiet"}>{user.email}</span>
        </button>
      ),
    },
    { header: "Role", from: "sm", share: 1.3, cell: (user) => <Role user={user} /> },
    ...(viewer.isRoot ? [partner] : []),
    { header: "Clients", share: 1.4, from: "md", cell: ({ kind, clients }) => clientsOf(kind, clients) },
    {
      header: "Status",
      share: 1.25,
      cell: ({ status, kind }) =>
        status === null ? (
          <span className="text-quiet">No client</span>
        ) : (
          <Badge tone={STATES[status]}>{kind === "dashboard" ? "active" : INVITATION_NAMES[status]}</Badge>
        ),
    },
    { header: "Added", from: "xl", cell: ({ created_at }) => <Ago at={created_at} /> },
    {
      header: "Actions",
      width: 60,
      right: true,
      cell: (user) => <UserActions user={user} viewer={viewer} onShow={onShow} onOpen={onOpen} />,
    },
  ];
}

const Role = ({ user: { role, kind } }: { user: User }) =>
  kind === "dashboard" ? <Badge tone="info">{ROLE_NAMES[role]}</Badge> : ROLE_NAMES[role];

function clientsOf(kind: User["kind"], clients: User["clients"]): React.ReactNode {
  if (kind === "dashboard") return <span className="text-quiet">Via root role</span>;
  const more = clients.length > MAX_CLIENTS ? ` and ${clients.length - MAX_CLIENTS} more` : "";
  return `${clients
    .slice(0, MAX_CLIENTS)
    .map(({ slug }) => slug)
    .join(", ")}${more}`;
}

/** Whether the viewer can remove a user: not what Git declares, and not themselves. */
function canRemove({ isRoot, user: self }: Viewer, user: User): boolean {
  if (user.kind === "person") return true;
  return isRoot && user.managed_by === "dashboard" && user.id !== self.id;
}

interface UserActionsProps extends Pick<PeopleColumnsOptions, "viewer" | "onShow" | "onOpen"> {
  user: User;
}

const UserActions = ({ user, viewer, onShow, onOpen }: UserActionsProps) => (
  <ActionsMenu
    of={user.name || user.email}
    groups={[
      [
        { name: "Show details", icon: <Eye aria-hidden="true" />, onSelect: () => onShow(user) },
        ...(user.kind === "person"
          ? [{ name: "Link to client", icon: <Link2 aria-hidden="true" />, onSelect: () => onOpen("link", user) }]
          : []),
      ],
      canRemove(viewer, user)
        ? [
            {
              name: "Remove user",
              icon: <Trash2 aria-hidden="true" />,
              danger: true,
              onSelect: () => onOpen("remove", user),
            },
          ]
        : [],
    ]}
  />
);
