import { expect, test } from "vitest";
import { dayInWords, dayOf, newestOfDays } from "./days.ts";

/** In the time zone of the computer. */
const at = (day: number, hour: number) => new Date(2026, 10, day, hour).toISOString();

test("names the two newest days, and others by their date", () => {
  const now = new Date(2026, 10, 29, 0, 30).getTime();
  const names = [29, 28, 22].map((day) => dayInWords(dayOf({ created_at: at(day, 23) }), now));
  expect(names).toEqual([
    expect.stringMatching(/^Today, .*29/),
    expect.stringMatching(/^Yesterday, .*28/),
    expect.stringMatching(/22.*2026/),
  ]);
});

test("shows the newest backups of the newest days", () => {
  const backups = [
    ...[9, 8, 7].map((hour) => ({ id: `29 ${hour}`, created_at: at(29, hour) })),
    ...[23, 22].map((hour) => ({ id: `28 ${hour}`, created_at: at(28, hour) })),
    { id: "27 5", created_at: at(27, 5) },
  ];
  const shown = newestOfDays(backups, { days: 2, perDay: 2 });
  expect(shown.map(({ id }) => id)).toEqual(["29 9", "29 8", "28 23", "28 22"]);
});
