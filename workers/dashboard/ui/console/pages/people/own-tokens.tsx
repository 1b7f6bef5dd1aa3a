import { useQuery } from "@tanstack/react-query";
import { lazy } from "react";
import { consoleTokenRoutes } from "#workers/contracts/api/console/tokens.ts";
import { apiQuery } from "#workers/dashboard/ui/api/queries.ts";
import { useTenant, useViewer } from "#workers/dashboard/ui/api/session.ts";
import { TokenList } from "#workers/dashboard/ui/pages/clients/users/tokens/tokens-card.tsx";

const CreateOwnToken = lazy(() => import("./create-own-token.tsx"));
const RevokeOwnToken = lazy(() => import("./revoke-own-token.tsx"));

/** The viewer's service tokens; for an administrator, those of all users. */
export function OwnTokens() {
  const { environment } = useViewer();
  const { slug } = useTenant().client;
  const query = useQuery(apiQuery(consoleTokenRoutes.listConsoleTokens, { params: { slug } }));
  return (
    <TokenList
      query={query}
      tokens={query.data?.tokens ?? []}
      canCreate={environment !== "staging"}
      empty="Create one for each program or device, such as the app on your phone."
      create={(onClose) => query.data && <CreateOwnToken found={query.data} onClose={onClose} />}
      revoke={(token, onClose) => <RevokeOwnToken key={token.id} token={token} onClose={onClose} />}
    />
  );
}
