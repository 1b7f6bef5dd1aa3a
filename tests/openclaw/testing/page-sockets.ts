/** Functions that run in a page: its WebSockets, and requests by them. */

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
