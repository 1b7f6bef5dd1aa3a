/**
 * `POST /ticket-key` of the gateway's port: the tenant's Worker replaces the key of tickets while the gateway runs. The body is an order, which
 * only the holder of the key in use can sign (`tickets.mjs`): no program of this container, and nobody whom the Worker lets pass.
 *
 * 200 `{ "ticketKey": … }` confirms the key in use; 403 refuses the order.
 */
const PATH = "/ticket-key";
const MAX_ORDER_BYTES = 4_000;

/** Whether a request is such an order, and not one that the Worker passes on for somebody. */
export const isTicketKeyOrder = ({ method, url, headers }) =>
  method === "POST" && url === PATH && headers["x-platform-role"] === undefined;

/** @param replaced is called once another key is in use */
export async function answerTicketKeyOrder(tickets, request, response, replaced = () => {}) {
  const keys = replace(tickets, await readOrder(request));
  if (keys === undefined) return send(response, 403, { error: "the order is not signed by the ticket key in use" });
  // For a process that takes this one's place.
  Object.assign(process.env, keys);
  replaced();
  send(response, 200, { ticketKey: keys.TICKET_KEY });
}

function replace(tickets, order) {
  try {
    return tickets.replaceKey(order);
  } catch {
    return undefined;
  }
}

/** The body; empty when it is too large. */
async function readOrder(request) {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) {
    text += chunk;
    if (text.length > MAX_ORDER_BYTES) return "";
  }
  return text;
}

function send(response, status, body) {
  response.writeHead(status, { "content-type": "application/json", "cache-control": "no-store" });
  response.end(JSON.stringify(body));
}
