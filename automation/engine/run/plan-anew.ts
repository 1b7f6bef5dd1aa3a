import { isSlotTaken } from "./fault.ts";

/** Runs of which each lost a slot or a place to somebody else. */
const MOST_RUNS = 3;

/** Does a run, and once more from its plan on each time that it lost a pool gateway's slot, or the account's last place, to somebody else. @throws what the last one did */
export async function planAnew<Outcome>(run: () => Promise<Outcome>): Promise<Outcome> {
  for (let count = 1; ; count += 1) {
    try {
      return await run();
    } catch (error) {
      if (count === MOST_RUNS || !isSlotTaken(error)) throw error;
    }
  }
}
