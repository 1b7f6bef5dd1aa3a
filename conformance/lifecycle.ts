/** Cases that every kind of resource has: create, second create, list, update, delete. */
import type * as z from "zod";
import { type Case, casesOf, type Operation, type Product } from "./case.ts";
import { checkRefused, checkShape } from "./checks.ts";
import type { Client } from "./run/client.ts";
import type { Scope } from "./run/scope.ts";

export interface Lifecycle {
  /** First part of the cases' names, such as `bucket`. */
  name: string;
  /** With its article, such as `a bucket`. */
  title: string;
  source: string;
  operations: {
    create: Operation;
    read: Operation;
    list?: Operation;
    update?: Operation;
    remove: Operation;
  };
  /** Writes it to the journal and creates it. @returns its id */
  create(client: Client, scope: Scope): Promise<string>;
  read(client: Client, scope: Scope, id: string): PromiseLike<unknown>;
  /** What the project reads of it. */
  shape: z.ZodType;
  /** A second create of the same; the error, or `accepted`. Default: no case. */
  again?: {
    create(client: Client, scope: Scope): Promise<{ call: PromiseLike<unknown> }>;
    outcome: "accepted" | { status: number; codes?: readonly number[] };
    source?: string;
    reliesOn?: string;
  };
  /** Ids of all beside the one with this id, through every page. */
  list?(client: Client, scope: Scope, id: string): Promise<unknown[]>;
  update?: {
    send(client: Client, scope: Scope, id: string): PromiseLike<unknown>;
    /** What a read shows after it. */
    shape: z.ZodType;
    reliesOn: string;
  };
  remove(client: Client, scope: Scope, id: string): PromiseLike<unknown>;
  /** Codes of a read of a missing one. Default: any. */
  missing?: { codes?: readonly number[]; source?: string };
  /** Whether a delete of a missing one succeeds. Default: it is refused with 404. */
  removesTwice?: boolean;
}

/** Returns the operations of a resource that has a list. @param path of the list @param item path of one */
export const operationsOf = (path: `/${string}`, item: `/${string}`, update: "PATCH" | "PUT") =>
  ({
    create: `POST ${path}`,
    read: `GET ${item}`,
    list: `GET ${path}`,
    update: `${update} ${item}`,
    remove: `DELETE ${item}`,
  }) as const;

export function lifecycleCases(product: Product, life: Lifecycle): Case[] {
  const { name, title, source, operations, again, list, update } = life;
  const the = title.replace(/^an? /, "the ");
  const missing = (client: Client, scope: Scope, id: string) => life.read(client, scope, id);
  return casesOf(product, {
    [`${name}-create`]: {
      operations: [operations.create, operations.read],
      reliesOn: `The first read after a create shows ${the}, with the fields that the project reads.`,
      source,
      async run(client, scope) {
        const id = await life.create(client, scope);
        checkShape(`A read of ${title}`, await life.read(client, scope, id), life.shape);
      },
    },
    ...(again !== undefined && {
      [`${name}-second-create`]: {
        operations: [operations.create],
        reliesOn:
          again.reliesOn ??
          (again.outcome === "accepted"
            ? `A second create of ${title} with the same name succeeds, so the project lists existing ones first.`
            : `A second create of ${title} with the same name is refused with status ${again.outcome.status}.`),
        source: again.source ?? source,
        async run(client, scope) {
          const { call } = await again.create(client, scope);
          if (again.outcome === "accepted") await call;
          else {
            const { status, codes = [] } = again.outcome;
            await checkRefused(`a second create of ${title}`, call, status, ...codes);
          }
        },
      },
    }),
    ...(list !== undefined &&
      operations.list !== undefined && {
        [`${name}-list`]: {
          operations: [operations.list],
          reliesOn: `The list shows ${title} after its create, and no longer after its delete.`,
          source,
          async run(client, scope) {
            const id = await life.create(client, scope);
            const ids = () => list(client, scope, id);
            await scope.eventually(`${title} in the list`, ids, (found) => found.includes(id));
            await life.remove(client, scope, id);
            await scope.eventually(`the delete of ${title} in the list`, ids, (found) => !found.includes(id));
          },
        },
      }),
    ...(update !== undefined &&
      operations.update !== undefined && {
        [`${name}-update`]: {
          operations: [operations.update, operations.read],
          reliesOn: update.reliesOn,
          source,
          async run(client, scope) {
            const id = await life.create(client, scope);
            await update.send(client, scope, id);
            checkShape(`A read of ${title} after an update`, await life.read(client, scope, id), update.shape);
          },
        },
      }),
    [`${name}-delete`]: {
      operations: [operations.remove, operations.read],
      reliesOn: life.removesTwice
        ? `A read of a deleted one is refused with 404, and a second delete of ${title} succeeds.`
        : `A read and a second delete of ${title} that was deleted are refused with 404.`,
      source: life.missing?.source ?? source,
      async run(client, scope) {
        const id = await life.create(client, scope);
        await life.remove(client, scope, id);
        const codes = life.missing?.codes ?? [];
        await checkRefused(`a read of ${title} that was deleted`, missing(client, scope, id), 404, ...codes);
        if (life.removesTwice) await life.remove(client, scope, id);
        else await checkRefused(`a second delete of ${title}`, life.remove(client, scope, id), 404);
      },
    },
  });
}
