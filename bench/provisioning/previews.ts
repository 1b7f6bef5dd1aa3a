/** Previews of one changed tenant: whatever the fleet's size, and against what the engine itself takes for its resources. */
import type { Bounds } from "../measure.ts";
import { type Fleet, stackOf } from "./fleet.ts";
import { openPlainStack, resourcesOf } from "./plain-stack.ts";
import { printTimed, timedSide } from "./processor-time.ts";

/** Tenants that the database has beside the one. */
const FEW = 10;
const MOST = 1_000;
const MORE = [100, MOST];
const FLAT_TARGET = 1.2;
const ENGINE_TARGET = 2;
const BOUNDS: Bounds = { rounds: 6, budgetMs: 75_000 };
/** Row, script and container of a tenant that gets another plan. */
const CHANGED = 3;

export const ACME = "acme";

/** Leaves `acme` deployed on the plan basic, and its file with the plan pro. */
export async function previews(fleet: Fleet): Promise<void> {
  await fleet.up({ slug: ACME, plan: "pro" });
  const wanted = await resourcesOf(fleet, ACME);
  await fleet.up({ slug: ACME, plan: "basic" });
  fleet.declare({ slug: ACME, plan: "pro" });
  const one = () => fleet.preview([stackOf(ACME)], 1);
  const among = (rows: number) => timedSide(`among ${rows} tenants`, one, () => fleet.resize(rows));
  await one();
  for (const rows of MORE) {
    const title = `Preview of one changed tenant, among ${rows} against among ${FEW}`;
    await printTimed(title, among(rows), among(FEW), { ...BOUNDS, target: FLAT_TARGET });
  }
  await fleet.resize(MOST);
  const plain = await openPlainStack(fleet, ACME, wanted, CHANGED);
  try {
    await plain.preview();
    await printTimed(
      "Preview of one changed tenant against the engine's own",
      timedSide(`fleet preview, among ${MOST} tenants`, one),
      timedSide(`the engine, ${plain.resources} resources as they are`, plain.preview),
      { ...BOUNDS, target: ENGINE_TARGET },
    );
  } finally {
    plain.close();
  }
}
