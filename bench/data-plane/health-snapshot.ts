/** A health snapshot against the gateway's own `/health`, which it asks once. */
import { compare } from "../measure.ts";
import { printComparison } from "../report.ts";
import type { Platform } from "./platform.ts";

const TARGET = 1.3;
const WARM_UP_CALLS = 100;
const CALLS = 50;
const BOUNDS = { rounds: 9, budgetMs: 5_000 };

/** An alias of `/api/health` that no rate limit bounds; passive, so that nothing is started. */
const SNAPSHOT = "/api/status?passive=1";

export async function healthSnapshot({ client, tenants, dispatched, direct }: Platform): Promise<void> {
  const [slug] = tenants;
  const [snapshot, proxied, own] = [
    await dispatched(slug, SNAPSHOT),
    await dispatched(slug, "/health"),
    direct(slug, "/health"),
  ];
  for (const to of [snapshot, proxied, own]) await client.calls(to, WARM_UP_CALLS);
  const subject = { name: "snapshot through the platform", round: () => client.calls(snapshot, CALLS) };
  const sameWay = { name: "the gateway's /health through the platform", round: () => client.calls(proxied, CALLS) };
  const onItsPort = { name: "the gateway's /health on its own port", round: () => client.calls(own, CALLS) };
  printComparison("health snapshot, same way: latency", "ms", await compare(subject, sameWay, BOUNDS), TARGET);
  printComparison(
    "health snapshot, against the bare port: latency",
    "ms",
    await compare(subject, onItsPort, BOUNDS),
    TARGET,
  );
}
