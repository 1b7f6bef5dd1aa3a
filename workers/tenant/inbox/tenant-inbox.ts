import { DEFAULT_INBOX_MESSAGES } from "#workers/contracts/tenant/inbox.ts";
import { positiveBinding, type TenantEnv } from "../env.ts";
import type { RecordEvent } from "../event-log.ts";
import type { GatewayLifecycle } from "../gateway/process/lifecycle.ts";
import type { UsageMeter } from "../metrics/usage-meter.ts";
import type { SandboxPort } from "../sandbox/port.ts";
import { InboxBodies } from "./bodies.ts";
import type { KnownGateway } from "./crashes.ts";
import { Drain, type DrainOptions } from "./drain.ts";
import { Inbox, type InboxOptions } from "./inbox.ts";
import { Sender } from "./sender.ts";
import { InboxStore } from "./store.ts";

/** Where the gateway is, if the tenant's origin is unknown. */
const LOCAL_ORIGIN = "http://localhost";

export interface TenantInboxOptions
  extends Pick<DrainOptions, "isHeld" | "checkReady" | "waitUntil">,
    Pick<InboxOptions, "ringWithin"> {
  env: TenantEnv;
  storage: DurableObjectStorage;
  sandbox: Pick<SandboxPort, "fetch">;
  gateway: Pick<GatewayLifecycle, "isBusy">;
  ends: KnownGateway;
  meter: Pick<UsageMeter, "countMessages">;
  record: RecordEvent;
}

/** Creates the inbox from the Worker's bindings, and continues the deliveries of an object that ended. */
export function tenantInboxOf(options: TenantInboxOptions): Inbox {
  const { env, storage, sandbox, gateway, ends, meter, isHeld, checkReady, ringWithin, record, waitUntil } = options;
  const limit = positiveBinding("INBOX_MESSAGES", env.INBOX_MESSAGES) ?? DEFAULT_INBOX_MESSAGES;
  const store = new InboxStore(storage, limit);
  store.recover(Date.now());
  const bodies = new InboxBodies(env.BACKUP_BUCKET, store);
  const sender = new Sender({
    sandbox,
    store,
    bodies,
    origin: env.TENANT_ORIGIN || LOCAL_ORIGIN,
    gatewayToken: env.GATEWAY_TOKEN,
    isGatewayBusy: () => gateway.isBusy,
  });
  const count = (outcome: string, messages = 1) => meter.countMessages(outcome, messages);
  const send: DrainOptions["send"] = (message) => sender.send(message);
  const drain = new Drain({ store, send, gateway: ends, isHeld, checkReady, record, count, waitUntil });
  const inbox = new Inbox({ store, bodies, drain, ringWithin, record, count, waitUntil });
  waitUntil(inbox.resume());
  return inbox;
}
