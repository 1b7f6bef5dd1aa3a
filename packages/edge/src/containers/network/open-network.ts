import type { Socket as UdpSocket } from "node:dgram";
import type { Socket } from "node:net";
import { ContainerNetwork, type NetworkEvents } from "./container-network.ts";
import { intercept } from "./interception.ts";
import type { Question, Resolution } from "./names/dns-message.ts";
import { respondByTcp, respondByUdp } from "./names/dns-responder.ts";
import type { Internet } from "./names/internet.ts";
import { Names } from "./names/names.ts";
import { takeNamespace } from "./namespaces/prepared.ts";
import type { Sidecar } from "./sidecar.ts";

/**
 * Creates the network of a container for a start.
 *
 * @param sidecarOf returns its sidecar, by whose rules it reaches the outside
 * @throws Error with the reason when the machine does not allow it
 */
export async function openNetwork(internet: Internet, sidecarOf: () => Sidecar | undefined): Promise<ContainerNetwork> {
  const names = new Names(internet);
  const resolve = async (question: Question): Promise<Resolution> => {
    const sidecar = sidecarOf();
    return sidecar === undefined ? "failed" : names.resolve(question, sidecar.rules);
  };
  const events: NetworkEvents = {
    onConnection: (client: Socket) => {
      const sidecar = sidecarOf();
      if (sidecar === undefined) return void client.resetAndDestroy();
      const { egressPort, rules, authority } = sidecar;
      void intercept(client, { egressPort, rules, authority, names, internet });
    },
    onDnsConnection: (client: Socket) => respondByTcp(client, resolve),
    onDnsSocket: (socket: UdpSocket) => respondByUdp(socket, resolve),
  };
  return new ContainerNetwork(await takeNamespace(internet.ports), events);
}
