/** Meanings of the fields of channels. A key ends with the field, after the objects or operation that have it. */
export const channelTexts: Readonly<Record<string, string>> = {
  "Channel.kind": "The messenger.",
  "Channel.transport": "How messages arrive. A `socket` channel is offline while the instance sleeps.",
  "Channel.door_id": "ID of the door that receives the bot's messages; null for a socket channel.",
  "Channel.account": "The bot at the vendor.",
  "Channel.account.id": "The vendor's ID of the bot; of Slack, workspace and user.",
  "Channel.account.name": "Name of the bot.",
  "Channel.state":
    "`pushing`: the tenant does not have the present token yet. `push_failed`: it could not be sent. `token_rejected`: the vendor rejects it. `webhook_lost`: the vendor does not send the bot's messages to the door. `waiting_for_first_message`: the tenant has it. `connected`: the gateway has accepted a message. `sent`: the tenant has the token of a socket channel; the health of the instance says whether it is online.",
  "Channel.last_error": "Why the state is a fault, and what to do; null without one.",
  "Channel.checked_at": "When the vendor last accepted the token.",
  "Channel.pushed_at": "When the tenant received the present token; null until then.",
  "Channel.connected_at": "When the gateway was first known to have accepted a message; null until then.",
  "Channel.last_received_at": "When a verified request of the vendor last arrived, to the minute; null if never.",
  "Channel.created_by": "E-mail address of the user who connected it.",
  "Channel.token_replaced_at": "When the token was last replaced; null if never.",
  "createChannel.kind": "The messenger.",
  "createChannel.token":
    "Token of the bot, access token of its Matrix account, or client secret of a Teams bot. Spaces around a value are removed.",
  app_token: "App-level token of Slack's Socket Mode, with the scope `connections:write`.",
  server: "Address of the IRC server: `ircs://HOST:PORT`, or `irc:` without TLS.",
  nick: "Nick of the bot on the IRC server.",
  "createChannel.channels": "IRC channels that the bot joins, with commas between them. Default: none.",
  "replaceChannelToken.channels": "IRC channels that the bot joins. Default: unchanged.",
  password: "Password of the IRC server. Default: none.",
  homeserver: "Address of the API of the Matrix homeserver.",
  "createChannel.secret": "Signing secret of a Slack app with webhooks, or channel secret of a LINE bot.",
  service_account: "JSON of a key of the Google Chat app's service account, on one line.",
  project_number: "Number of the Google Cloud project, for which Google signs its requests.",
  app_id: "App ID of the Azure Bot, which stays when the token is replaced.",
  tenant_id: "ID of the tenant of Microsoft Entra that has the Azure Bot.",
  "createChannel.move":
    "Disconnects the bot from another instance that you have access to. Default: the request is refused.",
  "createChannel.allow_hosts":
    "Adds the hosts that the channel needs to the egress policy of the tenant, if that does not allow them. Default: the request is refused.",
  "createChannel.url":
    "Address for the vendor, with the key of the door. Returned only once. Null for a socket channel.",
  "createChannel.steps": "What to do at the vendor.",
  "replaceChannelToken.token": "Another token of the same bot.",
  "replaceChannelToken.secret": "New signing secret. The former one is accepted for a day. Default: unchanged.",
  "testChannel.channel": "The channel.",
  "testChannel.webhook": "Where the vendor sends the bot's messages; null for a socket channel.",
  "testChannel.connection":
    "Connection of a socket channel, or of a channel that the gateway was started without; null for others, and if the tenant's Worker does not report it.",
  ...Object.fromEntries(
    ["testChannel.connection", "channels"].flatMap((parent) => [
      [`${parent}.messenger`, "Messenger, as the gateway names it."],
      [`${parent}.label`, "Name of the messenger."],
      [`${parent}.account`, "The gateway's name of the bot."],
      [
        `${parent}.condition`,
        "`offline_while_asleep`: it receives nothing until the instance wakes. `connecting`: the gateway starts or retries. `failed`: it has given up.",
      ],
      [`${parent}.reason`, "Why it is not online; null if it is, or if the gateway does not say."],
      [
        `${parent}.cause`,
        "Why the gateway was started without the channel. `configuration_rejected`: it rejects the channel's settings; `reason` has its text. `not_in_image`: the image does not support it. Null if it was not.",
      ],
      [`${parent}.remedy`, "What to do about the cause; null without one."],
      [
        `${parent}.is_own`,
        "Whether the platform connected it; else the tenant did within its gateway, such as WhatsApp.",
      ],
      [`${parent}.keeps_awake`, "Whether it keeps the instance awake while it is connected, by the plan."],
      [
        `${parent}.webhook_kind`,
        "Kind of channel that receives messages of this messenger while the instance sleeps; null without one.",
      ],
    ]),
  ),
  "testChannel.webhook.registration": "`registered`: to the channel's door. `unknown`: the vendor does not say.",
  "testChannel.webhook.error": "What the vendor reports of its last request to the door; null without a fault.",
  "testChannel.message": "What became of a message to the bot. `none`: the inbox lists none.",
  "testChannel.steps": "What to do next; empty if the channel works.",
  "deleteChannel.remaining": "What remains to be done at the vendor by hand.",
};
