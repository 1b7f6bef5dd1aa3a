/**
 * What a gateway may cost, by its rules (features/spend-limits): each has a budget for every bucket of its dimensions. Costs are
 * taken down when a call has ended, so that the one that crosses the limit is answered in full, as at the vendor.
 */
import type { DatabaseSync } from "node:sqlite";
import type { GatewaySettings, SpendDimension, SpendRule } from "../../cloudflare/kinds/ai-gateways/settings.ts";
import { overlap, windowOf } from "./windows.ts";

/** What a call is counted by. */
export interface Spender {
  gateway: string;
  provider: string;
  model: string;
  metadata: Readonly<Record<string, unknown>>;
}

export class SpendLimits {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
    database.exec(`
      create table if not exists spending (
        gateway text not null,
        rule text not null,
        bucket text not null,
        at integer not null, -- number of the window
        cost real not null,
        primary key (gateway, rule, bucket, at)
      ) without rowid;
    `);
  }

  /** The first rule that `spender` has no budget left by, in the vendor's words. @param now milliseconds since the epoch */
  exceeded(limits: GatewaySettings["spend_limits"], spender: Spender, now: number): string | undefined {
    for (const { rule, id, bucket } of rulesFor(limits, spender)) {
      const current = windowOf(now, rule.window);
      const before = rule.technique === "sliding" ? this.#spent(spender.gateway, id, bucket, current - 1) : 0;
      const spent = this.#spent(spender.gateway, id, bucket, current) + before * overlap(now, rule.window);
      if (spent < rule.limit) continue;
      const how = `cost limit ${rule.limit} per ${rule.window}s, ${rule.technique ?? "fixed"}`;
      return `rule '${id}' (${how}) for ${spender.provider} ${spender.model}`;
    }
    return undefined;
  }

  /** @param cost US dollars */
  add(limits: GatewaySettings["spend_limits"], spender: Spender, cost: number, now: number): void {
    // As with logs: a stream may be cut by the edge's end.
    if (cost <= 0 || !this.#database.isOpen) return;
    for (const { rule, id, bucket } of rulesFor(limits, spender)) {
      const at = windowOf(now, rule.window);
      this.#database
        .prepare("delete from spending where gateway = ? and rule = ? and at < ?")
        .run(spender.gateway, id, at - 1);
      this.#database
        .prepare(
          `insert into spending (gateway, rule, bucket, at, cost) values (?, ?, ?, ?, ?)
           on conflict do update set cost = cost + excluded.cost`,
        )
        .run(spender.gateway, id, bucket, at, cost);
    }
  }

  forget(gateway: string): void {
    this.#database.prepare("delete from spending where gateway = ?").run(gateway);
  }

  #spent(gateway: string, rule: string, bucket: string, at: number): number {
    const row = this.#database
      .prepare("select cost from spending where gateway = ? and rule = ? and bucket = ? and at = ?")
      .get(gateway, rule, bucket, at);
    return row === undefined ? 0 : Number(row.cost);
  }
}

/** The rules that concern a call, and the bucket of each that it counts in. */
function rulesFor(
  limits: GatewaySettings["spend_limits"],
  spender: Spender,
): { rule: SpendRule; id: string; bucket: string }[] {
  if (limits?.enabled === false) return [];
  return (limits?.rules ?? []).flatMap((rule, position) => {
    if (rule.enabled === false) return [];
    const parts: string[] = [];
    const fits = (dimension: SpendDimension | undefined, names: readonly unknown[]): boolean => {
      if (dimension === undefined) return true;
      const [name] = names;
      if (name === undefined) return false;
      if (dimension.mode === "partition") {
        parts.push(String(name));
        return true;
      }
      const { values } = dimension as Extract<SpendDimension, { values: string[] }>;
      return names.some((one) => values.includes(String(one)));
    };
    // The documentation names models with their providers, as the compatible endpoint does.
    const models = [spender.model, `${spender.provider}/${spender.model}`];
    const concerned =
      fits(rule.provider, [spender.provider]) &&
      fits(rule.model, models) &&
      Object.entries(rule.metadata ?? {}).every(([name, dimension]) => fits(dimension, [spender.metadata[name]]));
    // A window of another length counts anew: its numbers mean other times.
    const id = rule.id ?? String(position);
    return concerned ? [{ rule, id, bucket: JSON.stringify([rule.window, ...parts]) }] : [];
  });
}
