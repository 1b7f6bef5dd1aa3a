/** `node killed-at-sealing.ts DIRECTORY POINTS` writes points until a block is sealed, and kills itself in between. */
import { DatabaseSync } from "node:sqlite";
import { Analytics } from "../data-points.ts";
import { writePoint } from "./points.ts";

const [directory = "", points = ""] = process.argv.slice(2);
const analytics = new Analytics(directory, { blockPoints: Number(points) });

const { prepare } = DatabaseSync.prototype;
DatabaseSync.prototype.prepare = function killing(this: DatabaseSync, sql, ...rest) {
  // The block exists, and its rows are not deleted yet.
  if (sql.startsWith("delete from data_points where dataset")) process.kill(process.pid, "SIGKILL");
  return prepare.call(this, sql, ...rest);
};

for (let n = 1; ; n += 1) writePoint(analytics, "weather", { at: Date.now(), index: `point ${n}`, doubles: [n] });
