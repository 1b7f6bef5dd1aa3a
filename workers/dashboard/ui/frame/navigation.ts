import {
  Activity,
  Boxes,
  Gauge,
  Handshake,
  LayoutDashboard,
  Route,
  ScrollText,
  ServerCog,
  Siren,
  Users,
} from "lucide-react";
import type { Viewer } from "../api/session.ts";
import type { PlaceGroup } from "./place-list.tsx";

export function placesFor({ isRoot, partner }: Pick<Viewer, "isRoot" | "partner">): readonly PlaceGroup[] {
  const own =
    partner === null
      ? []
      : [{ name: "Branding", to: `/partners/${partner.id}`, icon: Handshake, words: "logo colours" }];
  return [
    {
      name: "Platform",
      places: [
        { name: "Overview", to: "/", icon: LayoutDashboard, words: "summary usage cost" },
        { name: "Clients", to: "/clients", icon: Boxes, words: "tenants instances" },
        { name: "People", to: "/people", icon: Users, words: "users roots invitations" },
        ...(isRoot
          ? [
              { name: "Partners", to: "/partners", icon: Handshake, words: "branding" },
              { name: "AI gateways", to: "/gateways", icon: Route, words: "pool" },
            ]
          : own),
      ],
    },
    {
      name: "Operations",
      places: [
        { name: "Jobs", to: "/operations/jobs", icon: Activity },
        { name: "Incidents", to: "/operations/incidents", icon: Siren },
        ...(isRoot
          ? [
              {
                name: "Versions",
                to: "/operations/versions",
                icon: ServerCog,
                words: "images workers rollouts",
              },
              { name: "Capacity", to: "/operations/capacity", icon: Gauge, words: "account limits" },
            ]
          : []),
        { name: "Audit", to: "/operations/audit", icon: ScrollText, words: "log changes" },
      ],
    },
  ];
}
