/** A gateway that continuously writes numbered rows to an SQLite database, each with a twin in another table. */
import { createServer } from "node:http";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

export const BUSY_GATEWAY = import.meta.filename;

function serve(stateDirectory: string, port: number): void {
  const database = new DatabaseSync(join(stateDirectory, "busy.sqlite"));
  database.exec(`
    pragma journal_mode = wal;
    create table if not exists rows (n integer primary key, padding text not null);
    create table if not exists twins (n integer primary key);
  `);
  const insert = database.prepare("insert into rows (padding) values (hex(randomblob(500)))");
  const twin = database.prepare("insert into twins select max(n) from rows");
  const last = database.prepare("select coalesce(max(n), 0) as n from rows");
  setInterval(() => {
    for (let i = 0; i < 20; i++) {
      database.exec("begin");
      insert.run();
      twin.run();
      database.exec("commit");
    }
  }, 1);
  createServer((_request, response) => {
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ rows: last.get()?.n }));
  }).listen(port, "127.0.0.1");
}

if (import.meta.main) serve(process.env.STATE_DIR ?? "", Number(process.env.GATEWAY_PORT));
