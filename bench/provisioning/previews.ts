/** Previews of one changed tenant: with a large fleet compared with a small one, and with the engine's own time. */
import type { ByMode, Run } from "../suite.ts";
import { type Fleet, stackOf } from "./fleet.ts";
import { openPlainStack, resourcesOf } from "./plain-stack.ts";
import { reportTimed, timedSide } from "./processor-time.ts";

const FLAT_TARGET = 1.2;
const ENGINE_TARGET = 2;
const BOUNDS: ByMode<{
  rounds: number;
  budgetMs: number;
  warmUp: number;
  few: number;
  more: readonly [number, ...number[]];
}> = {
  full: { rounds: 6, budgetMs: 75_000, warmUp: 1, few: 10, more: [1_000, 100] },
  smoke: { rounds: 1, budgetMs: 75_000, warmUp: 0, few: 1, more: [10] },
};
/** Row, script and container of a tenant whose plan changes. */
const CHANGED = 3;

export const ACME = "acme";

/** Leaves `acme` deployed with plan basic, and its file with plan pro. */
export async function measurePreviews(fleet: Fleet, run: Run): Promise<void> {
  const { few, more, warmUp, ...bounds } = BOUNDS[run.mode];
  await fleet.up({ slug: ACME, plan: "pro" });
  const wanted = await resourcesOf(fleet, ACME);
  await fleet.up({ slug: ACME, plan: "basic" });
  fleet.declare({ slug: ACME, plan: "pro" });
  const one = () => fleet.preview([stackOf(ACME)], 1);
  const among = (rows: number) => timedSide(`among ${rows} tenants`, one, () => fleet.resize(rows));
  for (let run = 0; run < warmUp; run++) await one();
  for (const rows of more) {
    const title = `Preview of one changed tenant, among ${rows} compared with ${few}`;
    await reportTimed(run, { title, subject: among(rows), baseline: among(few), bounds, target: FLAT_TARGET });
  }
  const [most] = more;
  await fleet.resize(most);
  const plain = await openPlainStack(fleet, ACME, wanted, CHANGED);
  try {
    for (let run = 0; run < warmUp; run++) await plain.preview();
    await reportTimed(run, {
      title: "Preview of one changed tenant, compared with the engine's own",
      subject: timedSide(`fleet preview, among ${most} tenants`, one),
      baseline: timedSide(`the engine, with ${plain.resources} resources`, plain.preview),
      bounds,
      target: ENGINE_TARGET,
    });
  } finally {
    plain.close();
  }
}
