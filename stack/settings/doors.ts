/** Doors of instances, and their secrets in a setting of their own: the engine encrypts whole keys. */
import * as z from "zod";
import {
  DEFAULT_OVERLAP_SECONDS,
  doorKinds,
  doorNameFault,
  doorStates,
  MAX_OVERLAP_SECONDS,
} from "#domain/doors/door.ts";
import { checkDoorSecrets, generatedNames, type Secrets } from "#domain/doors/door-secrets.ts";
import { errorLine, errorMessage, type Fault } from "#domain/errors/catalogue-error.ts";
import { stackSettingErrors as errors } from "#domain/errors/stack/stack-settings.ts";
import { choiceSchema } from "#domain/settings/choice.ts";

const version = (what: string) =>
  z.int().positive().default(1).describe(`Raise it by one to replace ${what}. Default: 1.`);

export const door = z
  .strictObject({
    name: z
      .string()
      .describe(
        "Name of at most 40 lower-case letters, digits and inner hyphens, unique in the instance. Most kinds reach the gateway at /hooks/{name}.",
      ),
    kind: choiceSchema(doorKinds, "kind").describe(
      "Vendor or scheme, by which webhooks are verified. With another kind, the next run replaces the door and its address.",
    ),
    state: choiceSchema(doorStates, "state")
      .default("active")
      .describe("disabled refuses every webhook. Default: active."),
    formerName: z
      .string()
      .optional()
      .describe("Name before a renaming, so that the door and its address stay. Remove it later. Default: none."),
    keyVersion: version("the address with the next run"),
    secretsVersion: version("the generated secrets with the next run"),
    overlapSeconds: z
      .int()
      .min(0)
      .max(MAX_OVERLAP_SECONDS)
      .default(DEFAULT_OVERLAP_SECONDS)
      .describe("How long the former address or secrets are accepted after a change. Default: 86400, a day."),
  })
  .check(({ value: { name, kind }, issues }) => {
    const fault = doorNameFault(name, kind);
    if (fault !== undefined) issues.push({ code: "custom", input: name, path: ["name"], message: fault });
  });

export const doors = z
  .array(door)
  .check(({ value, issues }) => {
    const add = (index: number, field: "name" | "formerName", message: string) =>
      issues.push({ code: "custom", input: value[index]?.[field], path: [index, field], message });
    const names = value.map(({ name }) => name);
    const former = value.flatMap(({ formerName }) => formerName ?? []);
    value.forEach(({ name, formerName }, index) => {
      if (names.indexOf(name) !== index) add(index, "name", `${name} is declared twice; rename or remove one`);
      if (formerName === undefined) return;
      if (names.includes(formerName))
        add(index, "formerName", `${formerName} is the name of a door; deploy the renaming first`);
      else if (former.indexOf(formerName) !== former.lastIndexOf(formerName))
        add(index, "formerName", `${formerName} is declared twice; remove one`);
    });
  })
  .default([])
  .describe("Doors, its public addresses for webhooks. Default: none.");

/** The message does not quote the names, of which one might be a secret. */
export const doorSecrets = z
  .record(z.string(), z.unknown())
  .pipe(z.record(z.string(), z.record(z.string(), z.record(z.string(), z.string().min(1).max(4096)))))
  .describe(
    "Secrets that vendors issue for doors, by slug, name of the door and name of the secret. A secret: set it with --secret. The platform generates the others. Default: none.",
  );

interface Declared {
  clients: readonly { slug: string; instances: readonly { doors: readonly z.infer<typeof door>[] }[] }[];
  doorSecrets?: z.infer<typeof doorSecrets> | undefined;
}

/** Returns the faults of doors' secrets, without values. */
export function doorFaults({ clients, doorSecrets = {} }: Declared): Fault[] {
  const declared = clients.flatMap(({ slug, instances }, client) =>
    instances.flatMap(({ doors }, instance) =>
      doors.map((one, index) => ({
        ...one,
        slug,
        path: `tenantry:clients[${client}].instances[${instance}].doors[${index}]`,
      })),
    ),
  );
  const known = new Set(declared.map(({ slug, name }) => `${slug}.${name}`));
  const unknown = Object.entries(doorSecrets).flatMap(([slug, doors]) =>
    Object.keys(doors).filter((name) => !known.has(`${slug}.${name}`)),
  );
  return [
    ...(unknown.length > 0 ? [errorLine(errors.door_secrets_without_door, { count: unknown.length })] : []),
    ...declared.flatMap(({ slug, name, kind, path }) => {
      const given = doorSecrets[slug]?.[name] ?? {};
      const checked = checkDoorSecrets(kind, { ...given, ...placeholders(kind, given) });
      if ("secrets" in checked) return [];
      const setting = `tenantry:doorSecrets.${slug}.${name}`;
      return [errorMessage(errors.door_secrets_invalid, { path, setting, rule: checked.faults.join("; ") })];
    }),
  ];
}

/** Values of the form of generated secrets. */
const placeholders = (kind: z.infer<typeof door>["kind"], given: Secrets): Secrets =>
  Object.fromEntries(generatedNames(kind, given).map((name) => [name, "x".repeat(43)]));
