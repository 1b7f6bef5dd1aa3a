import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { Plus, Trash2 } from "lucide-react";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { MAX_TOKENS_OF_CLIENT } from "#domain/access/service-token.ts";
import { type ServiceToken, serviceTokenRoutes } from "#workers/contracts/api/people/service-tokens.ts";
import type { Client } from "#workers/contracts/api/tenants/clients.ts";
import { apiQuery } from "#workers/dashboard/ui/api/queries.ts";
import { Button } from "#workers/dashboard/ui/kit/button.tsx";
import { Card } from "#workers/dashboard/ui/kit/layout/card.tsx";
import { type Column, DataTable } from "#workers/dashboard/ui/kit/list/table.tsx";
import { ActionsMenu } from "#workers/dashboard/ui/kit/menu/menu.tsx";
import { Empty, Loaded, Loading } from "#workers/dashboard/ui/kit/states.tsx";
import { Ago, useNow } from "#workers/dashboard/ui/kit/time.tsx";
import { ROLE_NAMES } from "../../../people/roles.ts";

const CreateToken = lazy(() => import("./create-token.tsx"));
const RevokeToken = lazy(() => import("./revoke-token.tsx"));

type Opened = "create" | { revoke: string };

/** Service tokens of the client's users, for operators. */
export function TokensCard({ client }: { client: Client }) {
  const query = useQuery(apiQuery(serviceTokenRoutes.listServiceTokens, { params: { client_id: client.id } }));
  return (
    <TokenList
      query={query}
      tokens={query.data?.data ?? []}
      canCreate={client.instance !== null && client.delete_after === null}
      empty={
        <>
          Users create their own at the path <code>/.tenantry/</code> of the tenant's host.
        </>
      }
      create={(onClose) => <CreateToken client={client} onClose={onClose} />}
      revoke={(token, onClose) => <RevokeToken key={token.id} token={token} onClose={onClose} />}
    />
  );
}

interface TokenListProps {
  query: UseQueryResult<unknown, Error>;
  tokens: readonly ServiceToken[];
  canCreate: boolean;
  /** Without tokens. */
  empty: ReactNode;
  /** The dialogs. */
  create: (onClose: () => void) => ReactNode;
  revoke: (token: ServiceToken, onClose: () => void) => ReactNode;
}

export function TokenList({ query, tokens, canCreate, empty, create: createDialog, revoke }: TokenListProps) {
  const [opened, setOpened] = useState<Opened>();
  const revoked = typeof opened === "object" ? tokens.find(({ id }) => id === opened.revoke) : undefined;
  const now = useNow();
  const valid = tokens.filter(({ expires_at }) => Date.parse(expires_at) > now).length;
  const isFull = valid >= MAX_TOKENS_OF_CLIENT;
  const create = canCreate ? (
    <Button disabled={isFull} onClick={() => setOpened("create")}>
      <Plus aria-hidden="true" /> Create token
    </Button>
  ) : undefined;
  const close = () => setOpened(undefined);
  return (
    <>
      <Card
        title="Service tokens"
        about="A service token lets a program or device reach the agent without a browser, in the name of a user."
        actions={tokens.length > 0 ? create : undefined}
        flush
      >
        <Loaded query={query} loading={<Loading padded />}>
          {() => (
            <>
              {isFull ? (
                <p className="px-4 pb-3 text-[0.8125rem] text-quiet">
                  The client has {MAX_TOKENS_OF_CLIENT} service tokens, the maximum. Revoke one to create another.
                </p>
              ) : null}
              <DataTable
                label="Service tokens"
                columns={tokenColumns((revoke) => setOpened({ revoke }))}
                rows={tokens}
                idOf={({ id }) => id}
                empty={
                  <Empty title="No service tokens yet" action={create}>
                    {empty}
                  </Empty>
                }
              />
            </>
          )}
        </Loaded>
      </Card>
      <Suspense>
        {opened === "create" ? createDialog(close) : null}
        {revoked === undefined ? null : revoke(revoked, close)}
      </Suspense>
    </>
  );
}

const tokenColumns = (revoke: (id: string) => void): readonly Column<ServiceToken>[] => [
  {
    header: "Token",
    share: 2,
    cell: ({ name, email }) => (
      <>
        <span className="font-medium">{name}</span>
        <span className="block text-xs text-quiet">{email}</span>
      </>
    ),
  },
  { header: "Role", from: "sm", cell: ({ role }) => ROLE_NAMES[role] },
  { header: "Last used", cell: ({ last_used_at }) => <Ago at={last_used_at} /> },
  { header: "Expires", from: "sm", cell: ({ expires_at }) => <Ago at={expires_at} /> },
  {
    header: "Created by",
    from: "lg",
    share: 1.6,
    cell: ({ created_by }) => <span title={created_by}>{created_by}</span>,
  },
  {
    header: "Actions",
    width: 60,
    right: true,
    cell: ({ id, name }) => (
      <ActionsMenu
        of={name}
        groups={[
          [{ name: "Revoke token", icon: <Trash2 aria-hidden="true" />, danger: true, onSelect: () => revoke(id) }],
        ]}
      />
    ),
  },
];
