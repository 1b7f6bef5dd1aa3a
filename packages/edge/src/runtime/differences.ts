import { lenient, missing, type StandIn, undocumented } from "@tenantry/std/difference";

export const runtimeDifferences: StandIn = {
  title: "Workers",
  differs: [
    missing(
      "Scripts of the account run in two processes: those that own or call Durable Objects, and the others. An update of the first group closes its WebSockets, because two processes must not open the same objects.",
    ),
    lenient(
      "An update lets open requests of scripts without Durable Objects keep their version for up to 20 minutes.",
      "Cloudflare documents no end for open requests.",
    ),
    missing(
      "Each user Worker of a dispatch namespace runs in a process of its own. At most 40 run at a time. A request for another one waits until an idle one ends, and gets status 503 after 30 s.",
    ),
    missing(
      "When a user Worker exceeds its CPU limit, its process ends. The dispatching Worker gets an exception for each of its open requests.",
    ),
    lenient(
      "Scripts of the account have no CPU limit.",
      "They share a process, which a limit would end for all of them.",
      "cpuTime",
    ),
    undocumented(
      "Under weather an upload resets objects. The call of the old Worker that repeats then reaches the old code until its process ends.",
    ),
    missing("Fetches of Workers reach the edge's own hosts only. Other hosts get status 502."),
    missing("Queue messages are in memory and are lost when the edge stops. Queue bindings of user Workers throw."),
    missing("Bindings of Browser Rendering and Workers AI throw."),
    missing("A script of the account that fails to start is excluded from its process. Its routes return the error."),
  ],
};
