/** Texts for the kinds of webhooks: where to find the secrets of a door, and where to enter its address. */
import type { WebhookKind } from "@tenantry/webhooks/kinds";

export const kindGroups = ["Chat channels", "Services", "Any sender"] as const;
type KindGroup = (typeof kindGroups)[number];

interface KindText {
  group: KindGroup;
  /** Where to enter the address and the generated secrets. */
  enter: string;
  /** Where to find a secret, or which values are valid, by its name. */
  secrets?: Readonly<Record<string, string>>;
  /**
   * The vendor issues the secret after it has the address, so that the door begins with a random one. Returns that in the vendor's format.
   */
  issuedLater?: { secret: string; placeholder: (random: string) => string };
}

const APP_SECRET = "In the Meta App Dashboard, under App settings, Basic.";

export const KIND_TEXTS: Readonly<Record<WebhookKind, KindText>> = {
  telegram: {
    group: "Chat channels",
    enter: "Call `setWebhook` of the Bot API with the address as `url` and the secret token as `secret_token`.",
  },
  slack: {
    group: "Chat channels",
    enter:
      "In the settings of your Slack app, enter the address as Request URL under Event Subscriptions. Interactivity and slash commands use the same address.",
    secrets: { signingSecret: "In the settings of your Slack app, under Basic Information, App Credentials." },
  },
  discord: {
    group: "Chat channels",
    enter:
      "In the Discord Developer Portal, enter the address as Interactions Endpoint URL under General Information of your application.",
    secrets: { publicKey: "In the Discord Developer Portal, under General Information: 64 hexadecimal digits." },
  },
  line: {
    group: "Chat channels",
    enter:
      "In the LINE Developers Console, enter the address as Webhook URL in the tab Messaging API of your channel, and turn on Use webhook.",
    secrets: { channelSecret: "In the LINE Developers Console, in the tab Basic settings of your channel." },
  },
  whatsapp: {
    group: "Chat channels",
    enter:
      "In the Meta App Dashboard, enter the address as Callback URL and the verify token as Verify token under WhatsApp, Configuration. Then subscribe to the field `messages`.",
    secrets: { appSecret: APP_SECRET },
  },
  messenger: {
    group: "Chat channels",
    enter:
      "In the Meta App Dashboard, enter the address as Callback URL and the verify token as Verify token in the settings of Messenger. Then subscribe to the field `messages`.",
    secrets: { appSecret: APP_SECRET },
  },
  googlechat: {
    group: "Chat channels",
    enter:
      "In the Google Cloud console, open the configuration of the Google Chat API, enter the address as HTTP endpoint URL, and select Project number as authentication audience.",
    secrets: {
      audience: "The project number of your Chat app, from the Google Cloud console.",
      serviceAccount: "Only for apps that are Workspace add-ons: the service account that signs their requests.",
    },
  },
  msteams: {
    group: "Chat channels",
    enter: "In the Azure portal, enter the address as Messaging endpoint in the configuration of your Azure Bot.",
    secrets: { appId: "In the Azure portal, the Microsoft App ID of your Azure Bot: a GUID." },
  },
  github: {
    group: "Services",
    enter:
      "In the settings of the repository or organization, add a webhook with the address as Payload URL, the content type `application/json` and the secret.",
  },
  gitlab: {
    group: "Services",
    enter:
      "In the settings of the project or group, add a webhook with the address as URL and the token as Secret token.",
    secrets: { signingToken: "If GitLab shows one for the webhook. Then the token is not checked." },
  },
  stripe: {
    group: "Services",
    enter:
      "In the Stripe Dashboard, add a webhook endpoint with the address. Then select Rotate secrets here, and enter the signing secret that Stripe shows for the endpoint.",
    secrets: { signingSecret: "Stripe shows it after you add the endpoint. Leave it empty until then." },
    issuedLater: { secret: "signingSecret", placeholder: (random) => random },
  },
  "standard-webhooks": {
    group: "Any sender",
    enter: "Enter the address at the sender. If the sender issues the secret, select Rotate secrets here and enter it.",
    secrets: { secret: "`whsec_` and base64. Leave it empty if the sender issues it after it has the address." },
    issuedLater: { secret: "secret", placeholder: (random) => `whsec_${random}` },
  },
  openclaw: {
    group: "Any sender",
    enter:
      "Send `POST` requests to the address with `/agent` or `/wake` at its end, and with the token in the header `Authorization: Bearer`.",
  },
  hmac: {
    group: "Any sender",
    enter: "Send `POST` requests to the address, with the signature of the body in the header that the webhook names.",
    secrets: {
      header: "The header with the signature.",
      prefix: "Text before the signature in the header, such as `sha256=`.",
    },
  },
  bearer: {
    group: "Any sender",
    enter: "Send `POST` requests to the address, with the token in the header `Authorization: Bearer`.",
  },
};

const SECRET_LABELS: Readonly<Record<string, string>> = {
  secretToken: "Secret token",
  signingSecret: "Signing secret",
  publicKey: "Public key",
  channelSecret: "Channel secret",
  appSecret: "App secret",
  verifyToken: "Verify token",
  audience: "Audience",
  serviceAccount: "Service account",
  appId: "App ID",
  secret: "Secret",
  token: "Token",
  signingToken: "Signing token",
  header: "Header",
  algorithm: "Algorithm",
  encoding: "Encoding",
  prefix: "Prefix",
};

/** A later release may have more secrets. */
export const secretLabel = (name: string): string => SECRET_LABELS[name] ?? name;

const PUBLIC_SECRETS: readonly string[] = ["publicKey", "audience", "serviceAccount", "appId", "header", "prefix"];

/** Whether the screen shows a secret while it is entered: some only name the sender or the format. */
export const isPublicSecret = (name: string): boolean => PUBLIC_SECRETS.includes(name);
