/** The limit of a timer. Longer waits are split. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** The reference gateway's scheduled jobs, stored in its database, and the number of its channels. */
export class Work {
  #database;
  #onJobDone;
  #runningJobs = 0;
  #timer;

  /**
   * @param database an open SQLite database
   * @param onJobDone receives the text of a finished job
   */
  constructor(database, onJobDone) {
    this.#database = database;
    this.#onJobDone = onJobDone;
    database.exec(`
      create table if not exists jobs (at integer not null, text text not null, for_ms integer not null);
      create table if not exists channels (connected integer not null);
    `);
    this.#wait();
  }

  /** @param job `at` in milliseconds since the epoch; `forMs`: its duration */
  schedule({ at, text, forMs }) {
    this.#database.prepare("insert into jobs values (?, ?, ?)").run(at, text, forMs);
    this.#wait();
  }

  /** Sets the number of channels. */
  connect(count) {
    this.#database.exec("delete from channels");
    this.#database.prepare("insert into channels values (?)").run(count);
  }

  /** Returns the response of `/workz`. */
  status() {
    const { at } = this.#database.prepare("select min(at) as at from jobs").get();
    const { connected } = this.#database.prepare("select sum(connected) as connected from channels").get();
    return {
      busy: this.#runningJobs > 0,
      ...(this.#runningJobs > 0 && { reason: "a job is running" }),
      ...(at !== null && { nextJobAt: new Date(at).toISOString() }),
      channels: connected ?? 0,
    };
  }

  #wait() {
    clearTimeout(this.#timer);
    const { at } = this.#database.prepare("select min(at) as at from jobs").get();
    if (at === null) return;
    this.#timer = setTimeout(() => this.#run(), Math.min(Math.max(0, at - Date.now()), MAX_TIMER_MS));
    this.#timer.unref();
  }

  #run() {
    const due = this.#database.prepare("delete from jobs where at <= ? returning text, for_ms").all(Date.now());
    for (const { text, for_ms: ms } of due) {
      this.#runningJobs += 1;
      setTimeout(() => {
        this.#runningJobs -= 1;
        this.#onJobDone(text);
      }, ms);
    }
    this.#wait();
  }
}
