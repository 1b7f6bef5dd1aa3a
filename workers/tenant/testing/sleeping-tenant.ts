/** Actions of tests on a tenant that sleeps. */
import { setTimeout as delay } from "node:timers/promises";
import { WebSocket } from "ws";
import { eventually, stateFiles, type Tenant } from "./harness.ts";

/** Whether the sandbox has no process and no state, as after the stop of a container. */
export const isAsleep = (tenant: Tenant): boolean => stateFiles(tenant).length === 0 && tenant.processes().length === 0;

export const asleep = (tenant: Tenant) => eventually(() => isAsleep(tenant));

/** Returns the process id of the only gateway. */
export function gatewayOf(tenant: Tenant): number {
  const [first, ...others] = tenant.processes("gateway");
  if (first === undefined || others.length > 0) throw new Error(`${others.length + 1} gateways run instead of one.`);
  return first.pid;
}

/** Repeats `work` for a while. */
export async function during(ms: number, work: () => unknown): Promise<void> {
  for (const end = Date.now() + ms; Date.now() < end; await delay(200)) await work();
}

/** Adds a note, with retries until it is confirmed. */
export async function keepNote(tenant: Tenant, text: string): Promise<void> {
  const body = JSON.stringify({ text });
  await eventually(async () => {
    const status = await tenant.fetch("/api/notes", { method: "POST", body }).then(
      (answer) => answer.status,
      () => "broken off",
    );
    if (status !== 201 && status !== 503 && status !== "broken off")
      throw new Error(`The response to a note was ${status}.`);
    return status === 201;
  });
}

/** Returns the notes, with retries. A note with a broken response may exist twice; it counts once. */
export async function keptNotes(tenant: Tenant): Promise<Set<string>> {
  const answer = await eventually(async () => {
    const response = await tenant.fetch("/api/notes");
    return response.status === 200 && (await response.text());
  });
  const kept: { notes: { text: string }[] } = JSON.parse(answer);
  return new Set(kept.notes.map(({ text }) => text));
}

/** Opens the gateway's echo as soon as it accepts WebSockets. */
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
