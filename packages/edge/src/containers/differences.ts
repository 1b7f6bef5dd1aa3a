import { lenient, missing, type StandIn, undocumented } from "@tenantry/std/difference";

export const containerDifferences: StandIn = {
  title: "Containers",
  differs: [
    lenient(
      "Where the kernel allows no namespaces, containers are plain processes of the user, which see the machine's files. The edge logs this at startup.",
      "Machines without namespaces can develop; `--containers docker` isolates there.",
    ),
    lenient(
      'Where the machine allows no network namespaces, or with the option `containerNetwork: "shared"`, containers share its network, so they reach each other. The edge logs this at startup.',
      "Machines without namespaces can develop; `--containers docker` isolates there.",
    ),
    missing(
      "With its own network, a container's connections to every TCP port are intercepted where the machine has iptables with TPROXY, and Perl; else those of HTTP, a few common protocols and `internet`, and others are refused. UDP is refused.",
    ),
    undocumented(
      "With its own network, a name that a Worker intercepts resolves to an address of 11.0.0.0/16 and of fd00::/112 of its own, also when the internet knows it; at the vendor to 11.0.0.1 and fd00::1, when the internet does not. Without internet, other names do not exist. Queries to other name servers by UDP are refused.",
    ),
    undocumented(
      "With its own network, connections that no Worker intercepts reach public addresses only. Private and link-local addresses and those of the machine are reset, also by a name that resolves to them, and so are connections to intercepted names, which pass at the vendor unless they are HTTP or TLS.",
    ),
    undocumented(
      "With its own network, ports other than 80 and 443 are intercepted as workerd's source does. Cloudflare's documents state that they never are. An intercepted `CONNECT` gets 405; workerd responds with its stack trace.",
    ),
    missing(
      "TLS of intercepted connections offers HTTP/1.1 only. The authority is that of the sidecar, which outlives a container; its certificate is in `/etc/cloudflare/certs`.",
    ),
    lenient(
      "Disks are limited where the edge may mount images: as root, with loop devices and e2fsprogs. Memory, CPU and processes are where it may create control groups: as root, or in a delegated part of version 2. A container of less than one vCPU may use a whole core while the machine is idle.",
      "Without root, disks are directories. A quarter of a core would make each start four times as slow.",
      "containerMemory",
    ),
    undocumented(
      "A container has at most 2,048 processes. One that exceeds its memory ends within a second, with all its processes.",
    ),
    missing(
      "A program listens on the port in the variable `PORT`; a Worker reaches it by `container.getTcpPort(8080)`.",
    ),
    missing(
      'An image has no program: `container.start({ entrypoint })` names it. `images.json` in the state directory adds variables to an image, such as `{ "box:1": { "COLOR": "blue" } }`.',
    ),
    missing(
      "`images.json` in the state directory is also the account's registry. A container with another image does not start.",
    ),
    undocumented(
      "When no container may start, `container.monitor()` rejects with workerd's error, which has Cloudflare's text: for a class without an application, and for an image that is not in the registry.",
    ),
  ],
};
