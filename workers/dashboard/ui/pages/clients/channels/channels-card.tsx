import { useQuery } from "@tanstack/react-query";
import { KeyRound, Plus, RefreshCw, Stethoscope, Trash2 } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { CHANNEL_KINDS, messengerOf } from "#domain/channels/kinds.ts";
import { instanceRoutes } from "#workers/contracts/api/instances/instances.ts";
import type { ChannelConnection } from "#workers/contracts/api/tenants/channel-connection.ts";
import { type Channel, channelRoutes } from "#workers/contracts/api/tenants/channels.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { apiQuery } from "#workers/dashboard/ui/api/queries.ts";
import { Button } from "#workers/dashboard/ui/kit/button.tsx";
import { Card } from "#workers/dashboard/ui/kit/layout/card.tsx";
import { type Column, DataTable } from "#workers/dashboard/ui/kit/list/table.tsx";
import { ActionsMenu } from "#workers/dashboard/ui/kit/menu/menu.tsx";
import { Empty, Loaded, Loading } from "#workers/dashboard/ui/kit/states.tsx";
import { Ago } from "#workers/dashboard/ui/kit/time.tsx";
import { ChannelBadge } from "./channel-badge.tsx";
import { LinkedChannels, SocketStatus } from "./socket-status.tsx";

const ConnectChannel = lazy(() => import("./connect-channel.tsx"));
const DeleteChannel = lazy(() => import("./delete-channel.tsx"));
const ReplaceToken = lazy(() => import("./replace-token.tsx"));
const TestChannel = lazy(() => import("./test-channel.tsx"));

type ChannelDialog = "test" | "token" | "delete";
/** A channel that is being deleted stays here after it is gone from the list. */
type Opened = { dialog: "connect" } | { dialog: ChannelDialog; channel: Channel };

export function ChannelsCard({ instanceId }: { instanceId: string }) {
  const [opened, setOpened] = useState<Opened>();
  const query = useQuery(apiQuery(channelRoutes.listChannels, { params: { instance_id: instanceId } }));
  const health = useQuery(apiQuery(instanceRoutes.getInstanceHealth, { params: { instance_id: instanceId } }));
  const connections = health.data?.sandbox?.channels ?? [];
  const close = () => setOpened(undefined);
  const chosen = opened !== undefined && "channel" in opened ? opened : undefined;
  const channel = query.data?.data.find(({ id }) => id === chosen?.channel.id) ?? chosen?.channel;
  const connect = (
    <Button variant="primary" onClick={() => setOpened({ dialog: "connect" })}>
      <Plus aria-hidden="true" /> Connect channel
    </Button>
  );
  return (
    <>
      <Card
        title="Channels"
        about="Through a channel, people write to the agent from a messenger, such as Telegram or Slack."
        actions={query.data?.data.length ? connect : undefined}
        flush
      >
        <Loaded query={query} loading={<Loading padded />}>
          {({ data }) => (
            <DataTable
              label="Channels"
              columns={channelColumns(connections, (one, dialog) => setOpened({ dialog, channel: one }))}
              rows={data}
              idOf={({ id }) => id}
              empty={
                <Empty title="No channels yet" action={connect}>
                  Create a bot in the messenger, then paste its token here.
                </Empty>
              }
            />
          )}
        </Loaded>
        <LinkedChannels connections={connections.filter((one) => !one.is_own)} />
      </Card>
      <Suspense>
        {opened?.dialog === "connect" ? <ConnectChannel instanceId={instanceId} onClose={close} /> : null}
        {channel !== undefined && chosen?.dialog === "test" ? <TestChannel channel={channel} onClose={close} /> : null}
        {channel !== undefined && chosen?.dialog === "token" ? (
          <ReplaceToken channel={channel} onClose={close} reload={query.refetch} />
        ) : null}
        {channel !== undefined && chosen?.dialog === "delete" ? (
          <DeleteChannel channel={channel} onClose={close} reload={query.refetch} />
        ) : null}
      </Suspense>
    </>
  );
}

function ChannelMenu({ channel, onOpen }: { channel: Channel; onOpen: (dialog: ChannelDialog) => void }) {
  const { id, account } = channel;
  const check = useChange(channelRoutes.checkChannel, {
    success: ({ state, last_error }) =>
      state === "token_rejected"
        ? { kind: "failed", title: `The token of ${account.name} is rejected`, about: last_error ?? "" }
        : `The token of ${account.name} is valid`,
    failure: `Failed to check ${account.name}`,
  });
  return (
    <ActionsMenu
      of={account.name}
      busy={check.isPending}
      groups={[
        [
          { name: "Test channel", icon: <Stethoscope aria-hidden="true" />, onSelect: () => onOpen("test") },
          {
            name: "Check token",
            icon: <RefreshCw aria-hidden="true" />,
            onSelect: () => check.mutate({ params: { id } }),
          },
          { name: "Replace token", icon: <KeyRound aria-hidden="true" />, onSelect: () => onOpen("token") },
        ],
        [
          {
            ...{ name: "Delete channel", icon: <Trash2 aria-hidden="true" />, danger: true },
            onSelect: () => onOpen("delete"),
          },
        ],
      ]}
    />
  );
}

const channelColumns = (
  connections: readonly ChannelConnection[],
  open: (channel: Channel, dialog: ChannelDialog) => void,
): readonly Column<Channel>[] => [
  {
    header: "Bot",
    share: 1.6,
    cell: ({ account, last_error }) => (
      <>
        <span className="font-medium">{account.name}</span>
        {last_error === null ? null : <span className="block text-xs text-quiet">{last_error}</span>}
      </>
    ),
  },
  { header: "Messenger", from: "sm", cell: ({ kind }) => CHANNEL_KINDS[kind].label },
  {
    header: "State",
    share: 1.4,
    cell: ({ state, kind }) => {
      const own = connections.find((one) => one.is_own && one.messenger === messengerOf(kind));
      const isShown = own !== undefined && (state === "sent" || own.cause !== null);
      return isShown ? <SocketStatus connection={own} /> : <ChannelBadge state={state} />;
    },
  },
  { header: "Last message", from: "md", cell: ({ last_received_at }) => <Ago at={last_received_at} /> },
  {
    header: "Actions",
    width: 60,
    right: true,
    cell: (channel) => <ChannelMenu channel={channel} onOpen={(dialog) => open(channel, dialog)} />,
  },
];
