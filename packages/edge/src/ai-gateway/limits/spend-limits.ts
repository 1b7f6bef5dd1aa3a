import type { DatabaseSync } from "node:sqlite";
import type { GatewaySettings, SpendDimension, SpendRule } from "../../cloudflare/kinds/ai-gateways/settings.ts";
import { windowOf, windowOverlap } from "./windows.ts";

export interface Spender {
  gateway: string;
  provider: string;
  model: string;
  metadata: Readonly<Record<string, unknown>>;
}

/**
 * Spend limits of gateways (features/spend-limits). Each rule has a budget for every combination of its dimensions. The cost of a call is
 * added at its end, so the call that exceeds the limit completes, as at the vendor.
 */
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

  /** Returns the vendor's description of the first rule without budget for a call. @param now milliseconds since the epoch */
  exceeded(limits: GatewaySettings["spend_limits"], spender: Spender, now: number): string | undefined {
    for (const { rule, id, bucket } of rulesFor(limits, spender)) {
      const current = windowOf(now, rule.window);
      const previous = rule.technique === "sliding" ? this.#spent(spender.gateway, id, bucket, current - 1) : 0;
      const spent = this.#spent(spender.gateway, id, bucket, current) + previous * windowOverlap(now, rule.window);
      if (spent < rule.limit) continue;
      const how = `cost limit ${rule.limit} per ${rule.window}s, ${rule.technique ?? "fixed"}`;
      return `rule '${id}' (${how}) for ${spender.provider} ${spender.model}`;
    }
    return undefined;
  }

  /** @param cost US dollars */
  add(limits: GatewaySettings["spend_limits"], spender: Spender, cost: number, now: number): void {
    // The end of the edge may abort streams after it has closed the database.
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

  removeAll(gateway: string): void {
    this.#database.prepare("delete from spending where gateway = ?").run(gateway);
  }

  #spent(gateway: string, rule: string, bucket: string, at: number): number {
    const row = this.#database
      .prepare("select cost from spending where gateway = ? and rule = ? and bucket = ? and at = ?")
      .get(gateway, rule, bucket, at);
    return row === undefined ? 0 : Number(row.cost);
  }
}

function rulesFor(
  limits: GatewaySettings["spend_limits"],
  spender: Spender,
): { rule: SpendRule; id: string; bucket: string }[] {
  if (limits?.enabled === false) return [];
  return (limits?.rules ?? []).flatMap((rule, position) => {
    if (rule.enabled === false) return [];
    const parts: string[] = [];
    const matches = (dimension: SpendDimension | undefined, names: readonly unknown[]): boolean => {
      if (dimension === undefined) return true;
      const [name] = names;
      if (name === undefined) return false;
      if (dimension.mode === "partition") {
        parts.push(String(name));
        return true;
      }
      const { values } = dimension as Extract<SpendDimension, { values: string[] }>;
      return names.some((candidate) => values.includes(String(candidate)));
    };
    // The documentation prefixes models with their providers, like the compatible endpoint.
    const models = [spender.model, `${spender.provider}/${spender.model}`];
    const isApplicable =
      matches(rule.provider, [spender.provider]) &&
      matches(rule.model, models) &&
      Object.entries(rule.metadata ?? {}).every(([name, dimension]) => matches(dimension, [spender.metadata[name]]));
    // Window numbers depend on the length of the window, so it is part of the bucket.
    const id = rule.id ?? String(position);
    return isApplicable ? [{ rule, id, bucket: JSON.stringify([rule.window, ...parts]) }] : [];
  });
}
