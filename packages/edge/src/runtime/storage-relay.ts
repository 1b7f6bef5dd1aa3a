import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { closeAndCut, listen } from "@tenantry/std/listening";
import { requestHeaders } from "../http/end-to-end.ts";
import { MAX_HEAD_BYTES, relayRequest } from "../http/relay.ts";

export interface StorageRelay {
  port: number;
  stop(): Promise<void>;
}

/**
 * Starts a relay in front of the storage process. workerd closes idle connections as a client and as a server after the same time, so that a
 * binding would send a request on a connection that the storage just closed. The vendor's bindings do not fail by this.
 *
 * @param storagePort port of the storage process
 */
export async function startStorageRelay(storagePort: number): Promise<StorageRelay> {
  const serve = (request: IncomingMessage, response: ServerResponse) => {
    const url = `http://${request.headers.host}${request.url}`;
    const to = { port: storagePort, url, headers: requestHeaders(request.headersDistinct), isOrigin: true };
    return relayRequest(request, response, to, () => false);
  };
  const server = createServer(
    { requestTimeout: 0, headersTimeout: 0, maxHeaderSize: MAX_HEAD_BYTES },
    (request, response) => void serve(request, response).catch(() => response.destroy()),
  );
  return { port: await listen(server, { port: 0 }), stop: () => closeAndCut(server) };
}
