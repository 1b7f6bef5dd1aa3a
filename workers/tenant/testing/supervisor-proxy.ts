/** Between tenant Worker and sandbox supervisor: counts calls, holds them and fails them as a test says. */
import { once } from "node:events";
import { createServer, request } from "node:http";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { SANDBOX_PORT_HEADER } from "../../contracts/sandbox.ts";

/** `GET /processes`, or of a call to a port of the sandbox `GET :18789/health`. */
export type Call = string;

/** The look at the processes. */
export const PROCESSES: Call = "GET /processes";
/** The gateway's own health. */
export const HEALTH: Call = "GET :18789/health";
/** The start of the gateway. */
export const START: Call = "PUT /processes/gateway-start";

export interface SupervisorProxy {
  /** Path of the unix socket. */
  socket: string;
  /** Every call so far. */
  calls: Call[];
  /** Those that the supervisor has answered. */
  answers: Call[];
  /** Answers 500 to these calls from now on, and to no others; `…*` stands for all that begin so. */
  fail(...calls: Call[]): void;
  /** Keeps calls that match from now on, until released; one whose caller has left is passed on all the same. */
  hold(matches: (call: Call) => boolean): Held;
  /** Passes on only the head and the first bytes of the answers to calls that match from now on, until released. */
  stall(matches: (call: Call) => boolean): Held;
  stop(): void;
}

export interface Held {
  /** Those that are held now. */
  readonly calls: Call[];
  /** Passes on what is held, and holds no more. */
  release(): void;
}

interface Hold extends Held {
  matches: (call: Call) => boolean;
  released: Promise<void>;
}

const STALLED_BYTES = 10;

function keep(holds: Set<Hold>, matches: (call: Call) => boolean): Held {
  let open = () => {};
  const released = new Promise<void>((resolve) => {
    open = resolve;
  });
  const hold: Hold = {
    matches,
    calls: [],
    released,
    release: () => {
      holds.delete(hold);
      open();
    },
  };
  holds.add(hold);
  return hold;
}

async function pause(holds: Set<Hold>, call: Call): Promise<void> {
  for (const hold of holds)
    if (hold.matches(call)) {
      hold.calls.push(call);
      await hold.released;
    }
}

/** @param supervisor the supervisor's socket; @param directory where the proxy's own lies */
export async function startSupervisorProxy(supervisor: string, directory: string): Promise<SupervisorProxy> {
  const calls: Call[] = [];
  const answers: Call[] = [];
  const failing = new Set<Call>();
  const holds = new Set<Hold>();
  const stalls = new Set<Hold>();

  const server = createServer(async (incoming, response) => {
    const port = incoming.headers[SANDBOX_PORT_HEADER];
    const path = incoming.url?.replace(/\?.*/, "");
    const call = `${incoming.method} ${port === undefined ? "" : `:${port}`}${path}`;
    calls.push(call);
    // Read whole, so that a caller that leaves meanwhile does not take its call back.
    const body = await buffer(incoming).catch(() => undefined);
    if (body === undefined) return void response.destroy();
    await pause(holds, call);
    if ([...failing].some((one) => call === one || (one.endsWith("*") && call.startsWith(one.slice(0, -1))))) {
      response.writeHead(500).end();
      return;
    }
    const outgoing = request(
      { socketPath: supervisor, method: incoming.method, path: incoming.url, headers: incoming.headers },
      async (answer) => {
        answers.push(call);
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        if (stalls.size > 0) {
          const bytes = await buffer(answer);
          response.write(bytes.subarray(0, STALLED_BYTES));
          await pause(stalls, call);
          response.end(bytes.subarray(STALLED_BYTES));
        } else answer.pipe(response);
      },
    );
    outgoing.on("error", () => response.destroy());
    outgoing.end(body);
  });
  const socket = join(directory, "proxy.sock");
  server.listen(socket);
  await once(server, "listening");
  return {
    socket,
    calls,
    answers,
    fail: (...given) => {
      failing.clear();
      for (const call of given) failing.add(call);
    },
    hold: (matches) => keep(holds, matches),
    stall: (matches) => keep(stalls, matches),
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
