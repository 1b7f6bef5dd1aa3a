import { createHash } from "node:crypto";
import type { WebhookSecrets } from "@tenantry/webhooks";
import type { WebhookKind } from "@tenantry/webhooks/kinds";
import type { DoorState } from "#domain/doors/door.ts";
import { newDoorKey } from "#domain/doors/door-key.ts";
import { sealSecrets } from "#workers/shared/doors/door-secrets.ts";
import type { RestServer } from "../../testing/rest-server.ts";
import { DOORS_KEY } from "../../testing/start-dispatch.ts";
import { SAMPLES } from "./webhooks.ts";

export interface TestDoor {
  id: string;
  key: string;
  hash: string;
}

/** Of all doors that were added. */
export const doorKeys: string[] = [];

/** Adds a door to the database. @param o.doorsKey that encrypts its secrets. Default: the Worker's */
export async function addDoor(
  rest: RestServer,
  slug: string,
  kind: WebhookKind,
  o: { secrets?: WebhookSecrets; former?: WebhookSecrets; state?: DoorState; doorsKey?: string } = {},
): Promise<TestDoor> {
  const key = newDoorKey();
  doorKeys.push(key);
  const hash = createHash("sha256").update(key).digest("hex");
  const id = crypto.randomUUID();
  const seal = async (secrets: WebhookSecrets) =>
    Buffer.from(await sealSecrets({ used: o.doorsKey ?? DOORS_KEY }, id, secrets)).toString("base64");
  rest.doors.set(hash, {
    id,
    kind,
    name: kind,
    state: o.state ?? "active",
    secrets: await seal(o.secrets ?? SAMPLES[kind].secrets),
    former_secrets: o.former ? await seal(o.former) : null,
    slug,
  });
  return { id, key, hash };
}
