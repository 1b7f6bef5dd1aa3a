/** The control UI: its message field, pictures of it, and functions that run in its page. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";

/** Folder for screenshots. */
const PICTURES = process.env.TENANTRY_PICTURES;
/** Timeout of OpenClaw on a busy machine, in milliseconds. */
export const PATIENCE_MS = 120_000;

/** Requests of a page to the gateway, as the control UI sends them. */
export interface Frame {
  type: "req";
  id: string;
  method: string;
  params: object;
}

/** Stores a page's WebSockets for {@link LiveTenant.ask}. */
export function keepSockets(): void {
  const kept: WebSocket[] = [];
  Object.assign(window, { keptSockets: kept });
  window.WebSocket = class extends WebSocket {
    constructor(url: string | URL, protocols?: string | string[]) {
      super(url, protocols);
      kept.push(this);
    }
  };
}

/** Sends a frame over a page's last WebSocket. @returns the response */
export function exchange(frame: Frame): Promise<string> {
  const socket = (window as unknown as { keptSockets: WebSocket[] }).keptSockets.at(-1);
  return new Promise((resolve, reject) => {
    if (socket === undefined) return reject(new Error("the page has no WebSocket"));
    socket.addEventListener("message", ({ data }) => {
      if (JSON.parse(String(data)).id === frame.id) resolve(String(data));
    });
    socket.send(JSON.stringify(frame));
  });
}

/** Waits for the message field. A page that lacks a file, as of a restarting gateway, is reloaded. */
export async function composer(page: Page): Promise<void> {
  const place = page.getByPlaceholder(/Message/);
  const reload = page.getByRole("button", { name: "Reload" });
  for (;;) {
    await place.or(reload).first().waitFor({ timeout: PATIENCE_MS });
    if (await place.isVisible()) return;
    await reload.click();
    await reload.waitFor({ state: "hidden" });
  }
}

/** Waits for part of a page, with a screenshot on failure. */
export async function pictured<T>(page: Page, name: string, wait: Promise<T>): Promise<T> {
  try {
    return await wait;
  } catch (error) {
    await picture(page, name);
    throw error;
  }
}

export async function picture(page: Page, name: string): Promise<void> {
  if (PICTURES === undefined) return;
  mkdirSync(PICTURES, { recursive: true });
  await page.screenshot({ path: join(PICTURES, `${name}.png`), timeout: PATIENCE_MS });
}
