import * as z from "zod";
import { type RotatingSecret, rotationSteps } from "#domain/rotation.ts";
import { choiceSchema } from "#domain/settings/choice.ts";

const PROVIDER_NAME = /^[a-z0-9][a-z0-9-]*$/;

// A separate setting, because the engine encrypts whole keys. A tool that encrypts single values writes an object instead.
export const providerKeys = z
  .record(z.string(), z.unknown())
  .pipe(
    z
      .record(z.string(), z.string().min(1))
      // The message does not quote the name, which might be a key.
      .refine((keys) => Object.keys(keys).every((name) => PROVIDER_NAME.test(name)), {
        error: "name each provider by lower-case letters, digits and hyphens, such as openai",
      }),
  )
  .describe(
    "Keys of the AI gateways' providers by the providers' names. A secret: set it with --secret. Default: those that the AI gateways keep, or in a stack of tenants the platform's.",
  );

const rotation = z
  .strictObject({
    version: z.int().positive().describe("Number of the secret's version."),
    step: choiceSchema(rotationSteps, "step").default("done").describe("How far its rotation is. Default: done."),
  })
  .refine(({ version, step }) => version > 1 || step === "done", "the first version has no step but done")
  .optional();

export const rotations = z
  .strictObject({
    databaseLogins: rotation,
    invalidateToken: rotation,
    liveToken: rotation,
    apiTokens: rotation,
    tenantTokens: rotation,
    gatewayTokens: rotation,
    ticketKeys: rotation,
    doorsKey: rotation,
  } satisfies Record<RotatingSecret, z.ZodType>)
  .describe(
    "How far the rotation of each secret of the platform is; npm run fleet -- rotate writes it. Default: none was ever rotated.",
  );
