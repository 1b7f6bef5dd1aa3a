import { lenient, type StandIn } from "@tenantry/std/difference";

export const weatherDifferences: StandIn = {
  title: "Weather",
  differs: [
    lenient(
      "Without the option `weather`, no call fails, and every change is visible at once: in KV, in Access, in Analytics Engine and in lists of the API. No message is delivered twice, no object ends during a call, and no data point is sampled.",
      "Tests of other behavior need the same result in each run; `tests/weather` runs the journeys under faults.",
    ),
  ],
};
