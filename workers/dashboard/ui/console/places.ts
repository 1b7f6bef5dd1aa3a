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
import type { Place } from "../frame/place-list.tsx";

interface ConsolePlace extends Place {
  to: `/${ConsolePage}`;
  roles: readonly TenantRole[];
}

const ADMINS = ["ADMIN"] as const;

const PLACES: readonly ConsolePlace[] = [
  { name: "Home", to: "/", icon: House, roles: ["ADMIN", "BASE_USER"] },
  { name: "People", to: "/people", icon: Users, roles: ADMINS },
  { name: "Service tokens", to: "/service-tokens", icon: KeyRound, roles: ["BASE_USER"] },
  { name: "Channels", to: "/channels", icon: MessageCircle, roles: ADMINS },
  { name: "Models", to: "/models", icon: Brain, roles: ADMINS },
  { name: "Backups", to: "/backups", icon: Archive, roles: ADMINS },
  { name: "Files", to: "/files", icon: FolderOpen, roles: ADMINS },
  { name: "Logs", to: "/logs", icon: ScrollText, roles: ADMINS },
  { name: "Doctor", to: "/doctor", icon: Stethoscope, roles: ADMINS },
  { name: "Network", to: "/network", icon: Network, roles: ADMINS },
  { name: "Version", to: "/version", icon: CircleArrowUp, roles: ADMINS },
  { name: "Billing", to: "/billing", icon: Receipt, roles: ADMINS },
  { name: "Notifications", to: "/notifications", icon: Bell, roles: ADMINS },
  { name: "Changes", to: "/changes", icon: History, roles: ADMINS },
  { name: "Danger", to: "/danger", icon: TriangleAlert, roles: ADMINS },
];

export const placesOf = (role: string): readonly Place[] =>
  PLACES.filter(({ roles }) => roles.some((one) => one === role));
