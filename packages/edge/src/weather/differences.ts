import { lenient, type StandIn } from "@tenantry/std/difference";

export const weatherDifferences: StandIn = {
  title: "Weather",
  differs: [
    lenient(
      "Without the option `weather`, no call fails, and every change is visible at once: in KV, in Access and in lists of the API.",
      "Tests of other behavior need the same result in each run; `tests/weather` runs the journeys under faults.",
    ),
  ],
};
