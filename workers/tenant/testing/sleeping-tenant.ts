/** What tests of sleep do with a tenant. */
import { setTimeout as delay } from "node:timers/promises";
import { WebSocket } from "ws";
import { eventually, stateFiles, type Tenant } from "./harness.ts";

/** Whether the sandbox has no process and no state, as after a container has stopped. */
export const isAsleep = (tenant: Tenant): boolean => stateFiles(tenant).length === 0 && tenant.processes().length === 0;

export const asleep = (tenant: Tenant) => eventually(() => isAsleep(tenant));

/** The process number of the one gateway. */
export function gatewayOf(tenant: Tenant): number {
  const [first, ...others] = tenant.processes("gateway");
  if (first === undefined || others.length > 0) throw new Error(`there are ${others.length} gateways more than one`);
  return first.pid;
}

/** Does something again and again for a while. */
export async function during(ms: number, work: () => unknown): Promise<void> {
  for (const end = Date.now() + ms; Date.now() < end; await delay(200)) await work();
}

/** Adds a note as a patient client does: until it is told that the note is kept. */
export async function keepNote(tenant: Tenant, text: string): Promise<void> {
  const body = JSON.stringify({ text });
  await eventually(async () => {
    const status = await tenant.fetch("/api/notes", { method: "POST", body }).then(
      (answer) => answer.status,
      () => "broken off",
    );
    if (status !== 201 && status !== 503 && status !== "broken off") throw new Error(`a note was answered ${status}`);
    return status === 201;
  });
}

/** The notes, asked for as a patient client does. A note whose answer broke off may be there twice: it counts once. */
export async function keptNotes(tenant: Tenant): Promise<Set<string>> {
  const answer = await eventually(async () => {
    const response = await tenant.fetch("/api/notes");
    return response.status === 200 && (await response.text());
  });
  const kept: { notes: { text: string }[] } = JSON.parse(answer);
  return new Set(kept.notes.map(({ text }) => text));
}

/** Opens the gateway's echo, as soon as it takes WebSockets. */
export async function openEcho(tenant: Tenant): Promise<WebSocket> {
  return eventually(async () => {
    const socket = new WebSocket(`${tenant.url.replace("http", "ws")}/echo`);
    const open = await new Promise<boolean>((resolve) => {
      socket.once("open", () => resolve(true));
      socket.once("error", () => resolve(false));
    });
    return open && socket;
  });
}
