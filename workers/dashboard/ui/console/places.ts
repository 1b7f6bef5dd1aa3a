import {
  Archive,
  Bell,
  Brain,
  CircleArrowUp,
  FolderOpen,
  History,
  House,
  KeyRound,
  MessageCircle,
  Network,
  Receipt,
  ScrollText,
  Stethoscope,
  TriangleAlert,
  Users,
} from "lucide-react";
import type { TenantRole } from "#workers/contracts/api/route.ts";
import type { ConsolePage } from "#workers/contracts/pages.ts";
import type { Place, PlaceGroup } from "../frame/place-list.tsx";

interface ConsolePlace extends Place {
  to: `/${ConsolePage}`;
  roles: readonly TenantRole[];
}

const ADMINS = ["ADMIN"] as const;

/** The most used first, as are the groups. */
const GROUPS: readonly { name: string; places: readonly ConsolePlace[] }[] = [
  {
    name: "Agent",
    places: [
      { name: "Home", to: "/", icon: House, roles: ["ADMIN", "BASE_USER"] },
      { name: "Channels", to: "/channels", icon: MessageCircle, roles: ADMINS },
      { name: "Files", to: "/files", icon: FolderOpen, roles: ADMINS },
    ],
  },
  {
    name: "Access",
    places: [
      { name: "People", to: "/people", icon: Users, roles: ADMINS },
      { name: "Service tokens", to: "/service-tokens", icon: KeyRound, roles: ["BASE_USER"] },
      { name: "Network", to: "/network", icon: Network, roles: ADMINS },
    ],
  },
  {
    name: "Cost",
    places: [
      { name: "Billing", to: "/billing", icon: Receipt, roles: ADMINS },
      { name: "Models", to: "/models", icon: Brain, roles: ADMINS },
    ],
  },
  {
    name: "Maintenance",
    places: [
      { name: "Backups", to: "/backups", icon: Archive, roles: ADMINS },
      { name: "Changes", to: "/changes", icon: History, roles: ADMINS },
      { name: "Doctor", to: "/doctor", icon: Stethoscope, roles: ADMINS },
      { name: "Version", to: "/version", icon: CircleArrowUp, roles: ADMINS },
      { name: "Logs", to: "/logs", icon: ScrollText, roles: ADMINS },
    ],
  },
  {
    name: "Settings",
    places: [
      { name: "Notifications", to: "/notifications", icon: Bell, roles: ADMINS },
      { name: "Export and delete", to: "/danger", icon: TriangleAlert, roles: ADMINS },
    ],
  },
];

/** Returns the pages of a role, without empty groups. */
export const placesOf = (role: string): readonly PlaceGroup[] =>
  GROUPS.map(({ name, places }) => ({
    name,
    places: places.filter(({ roles }) => roles.some((one) => one === role)),
  })).filter(({ places }) => places.length > 0);
