import { useQuery } from "@tanstack/react-query";
import { Box, Handshake, type LucideIcon, UserRound } from "lucide-react";
import { userRoutes } from "#workers/contracts/api/people/users.ts";
import { clientRoutes } from "#workers/contracts/api/tenants/clients.ts";
import { usePartners } from "../../api/partners.ts";
import { apiQuery } from "../../api/queries.ts";
import type { Viewer } from "../../api/session.ts";
import { clientAddress, partnerAddress, personAddress } from "../../kit/addresses.ts";
import { useDebounced } from "../../kit/form/debounced.ts";

export interface Result {
  kind: string;
  name: string;
  detail?: string;
  to: string;
  icon: LucideIcon;
}

const DELAY_MS = 150;
const MAX_CLIENTS = 8;
const MAX_PARTNERS = 5;
const MAX_PEOPLE = 5;

/** Searches clients, partners and people. @param wanted in lower case; empty for none */
export function usePaletteSearch(wanted: string, { partner }: Pick<Viewer, "partner">) {
  const search = useDebounced(wanted, DELAY_MS);
  const enabled = wanted !== "" && search === wanted;
  const clients = useQuery({
    ...apiQuery(clientRoutes.listClients, { query: { search, limit: MAX_CLIENTS } }),
    enabled,
  });
  const people = useQuery({ ...apiQuery(userRoutes.listUsers, { query: { search, limit: MAX_PEOPLE } }), enabled });
  // The list has no search. It is short, and a partner root has only its own partner.
  const all = usePartners();
  const partners = (partner === null ? all : [partner]).filter(({ name, slug }) =>
    `${name} ${slug}`.toLowerCase().includes(wanted),
  );
  if (wanted === "") return { found: [], faults: [], isFetching: false };
  const found: Result[] = [
    ...(clients.data?.data ?? []).map(({ id, name, slug }) => ({
      kind: "Client",
      name,
      detail: slug,
      to: clientAddress(id),
      icon: Box,
    })),
    ...partners.slice(0, MAX_PARTNERS).map(({ id, name, slug }) => ({
      kind: "Partner",
      name,
      detail: slug,
      to: partnerAddress(id),
      icon: Handshake,
    })),
    ...(people.data?.data ?? []).map(({ id, name, email }) => ({
      kind: "Person",
      name: name || email,
      ...(name !== "" && { detail: email }),
      to: personAddress(id),
      icon: UserRound,
    })),
  ];
  const faults = [
    ["clients", clients.error],
    ["people", people.error],
  ].flatMap(([what, error]) => (error instanceof Error ? [`Failed to search ${what}: ${error.message}`] : []));
  return { found, faults, isFetching: !enabled || clients.isFetching || people.isFetching };
}
