/** What the reference gateway does by itself: jobs at their time, kept in its database, and channels that it says it holds. */

/** A longer time than a timer can wait for is waited for in parts. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export class Work {
  #database;
  #done;
  #underWay = 0;
  #timer;

  /**
   * @param database an open SQLite database
   * @param done takes a job's text when it has run
   */
  constructor(database, done) {
    this.#database = database;
    this.#done = done;
    database.exec(`
      create table if not exists jobs (at integer not null, text text not null, for_ms integer not null);
      create table if not exists channels (connected integer not null);
    `);
    this.#wait();
  }

  /** @param job `at` in milliseconds since the epoch, `text`, and `forMs`, how long it takes */
  schedule({ at, text, forMs }) {
    this.#database.prepare("insert into jobs values (?, ?, ?)").run(at, text, forMs);
    this.#wait();
  }

  /** Holds so many channels from now on, after a restart too. */
  connect(count) {
    this.#database.exec("delete from channels");
    this.#database.prepare("insert into channels values (?)").run(count);
  }

  /** The answer of `/workz`. */
  told() {
    const { at } = this.#database.prepare("select min(at) as at from jobs").get();
    const { connected } = this.#database.prepare("select sum(connected) as connected from channels").get();
    return {
      busy: this.#underWay > 0,
      ...(this.#underWay > 0 && { reason: "a job is under way" }),
      ...(at !== null && { nextJobAt: new Date(at).toISOString() }),
      channels: connected ?? 0,
    };
  }

  #wait() {
    clearTimeout(this.#timer);
    const { at } = this.#database.prepare("select min(at) as at from jobs").get();
    if (at === null) return;
    this.#timer = setTimeout(() => this.#run(), Math.min(Math.max(0, at - Date.now()), LONGEST_TIMER_MS));
    this.#timer.unref();
  }

  #run() {
    const due = this.#database.prepare("delete from jobs where at <= ? returning text, for_ms").all(Date.now());
    for (const { text, for_ms: ms } of due) {
      this.#underWay += 1;
      setTimeout(() => {
        this.#underWay -= 1;
        this.#done(text);
      }, ms);
    }
    this.#wait();
  }
}
