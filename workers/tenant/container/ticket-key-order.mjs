/**
 * `POST /ticket-key` of the gateway's port: the tenant's Worker replaces the ticket key while the gateway runs. The body is an order that is
 * signed with the current key (`tickets.mjs`), which neither programs in this container nor users have.
 *
 * 200 `{ "ticketKey": … }` confirms the current key; 403 refuses the order.
 */
const PATH = "/ticket-key";
const MAX_ORDER_BYTES = 4_000;

/** Whether a request is an order of the Worker, and not a user's request. */
export const isTicketKeyOrder = ({ method, url, headers }) =>
  method === "POST" && url === PATH && headers["x-platform-role"] === undefined;

/** @param onReplace is called after the key was replaced */
export async function answerTicketKeyOrder(tickets, request, response, onReplace = () => {}) {
  const keys = replace(tickets, await readOrder(request));
  if (keys === undefined) return send(response, 403, { error: "the order is not signed with the current ticket key" });
  // For a process that replaces this one.
  Object.assign(process.env, keys);
  onReplace();
  send(response, 200, { ticketKey: keys.TICKET_KEY });
}

function replace(tickets, order) {
  try {
    return tickets.replaceKey(order);
  } catch {
    return undefined;
  }
}

/** @returns the body; empty when it is too large */
export async function readOrder(request) {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) {
    text += chunk;
    if (text.length > MAX_ORDER_BYTES) return "";
  }
  return text;
}

export function send(response, status, body) {
  response.writeHead(status, { "content-type": "application/json", "cache-control": "no-store" });
  response.end(JSON.stringify(body));
}
