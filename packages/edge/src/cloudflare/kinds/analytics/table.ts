/** Creates the tables, and migrates the data of an earlier version. */
import type { DatabaseSync } from "node:sqlite";
import { createBlocks } from "./blocks.ts";
import { blobs, doubles } from "./columns.ts";

export function createTable(database: DatabaseSync): void {
  database.exec(`
    pragma journal_mode = wal;
    begin immediate;
    create table if not exists data_points (
      dataset text not null,
      timestamp integer not null,
      _sample_interval integer not null,
      index1 text not null,
      ${blobs.map((name) => `${name} text not null`).join(", ")},
      ${doubles.map((name) => `${name} real not null`).join(", ")}
    );
    create index if not exists data_points_by_dataset on data_points (dataset, timestamp);
    ${hasLists(database) ? moveLists() : ""}
    commit;
  `);
  createBlocks(database);
}

/** The earlier table has values as JSON lists. */
function hasLists(database: DatabaseSync): boolean {
  return database.prepare("select 1 from sqlite_master where type = 'table' and name = 'points'").get() !== undefined;
}

function moveLists(): string {
  const items = (list: string, names: readonly string[], absent: string) =>
    names.map((_, index) => `coalesce(json_extract(${list}, '$[${index}]'), ${absent})`).join(", ");
  return `
    insert into data_points (dataset, timestamp, _sample_interval, index1, ${[...blobs, ...doubles].join(", ")})
      select dataset, timestamp, 1, index1, ${items("blobs", blobs, "''")}, ${items("doubles", doubles, "0")}
      from points order by rowid;
    drop table points;
  `;
}
