import { cloudflareErrorMessage } from "@tenantry/cloudflare-client/client";
import { PartialError, type Run, resource, sentence, UserError } from "@tenantry/plugin-host";
import * as z from "zod";
import { CONTAINERS_OF_TENANT } from "#domain/plans/capacity.ts";
import { instanceTypes } from "#domain/tenants/instance-type.ts";
import type { Clients } from "../clients.ts";
import { type Application, ContainerApplications } from "../containers/container-applications.ts";
import type { DurableObjectNamespaces } from "../containers/durable-object-namespaces.ts";
import { backUpState, backupOrder } from "../containers/state-backup.ts";
import { isSameStack } from "../ownership.ts";
import { parseResourceId } from "../resource-id.ts";
import { NamespacedScripts } from "../scripts/namespaced-scripts.ts";
import { refuseForeignScript } from "../scripts/script-owner.ts";

const inputs = z.object({
  accountId: z.string().min(1),
  name: z.string().min(1),
  dispatchNamespace: z.string().min(1),
  scriptName: z.string().min(1),
  className: z.string().min(1),
  image: z.string().min(1),
  instanceType: z.enum(instanceTypes).default("lite"),
  maxInstances: z
    .int()
    .min(2, { message: "must be at least 2: an old and a new container may overlap" })
    .default(CONTAINERS_OF_TENANT),
  backup: backupOrder.optional(),
  owner: z.string().default(""),
  takeOver: z.boolean().default(false),
});
type Inputs = z.infer<typeof inputs>;

interface Outputs {
  applicationId: string;
  namespaceId: string;
}

/** A transfer can take ten minutes, and the dispatch Worker waits twelve. */
const BACKUP_TIMEOUT_MS = 13 * 60 * 1000;
/** Shorter, so that a tenant that does not respond delays its own removal less. */
const LAST_BACKUP_TIMEOUT_MS = 5 * 60 * 1000;

/** A rollout deletes the container's disk. */
async function backUpBeforeRollout(backup: Inputs["backup"], run: Run): Promise<void> {
  if (backup === undefined) return;
  await backUpState(backup, BACKUP_TIMEOUT_MS, run).catch((error: unknown) => {
    throw new UserError(
      `The tenant's state could not be backed up, so its container was not replaced: ${sentence(error)} ` +
        "Fix the cause and run again, or set tenantry:backupBeforeRedeploy to false to continue without a backup.",
    );
  });
}

/** Updates a live application: image and instance type by a rollout, the rest by a change. */
async function reconcileApplication(
  applications: ContainerApplications,
  live: Pick<Application, "id" | "image" | "instanceType" | "maxInstances">,
  wanted: Inputs,
  run: Run,
): Promise<void> {
  const replaces = live.image !== wanted.image || live.instanceType !== wanted.instanceType;
  if (replaces) await backUpBeforeRollout(wanted.backup, run);
  if (live.maxInstances !== wanted.maxInstances) await applications.resize(live.id, wanted.maxInstances);
  if (replaces) await applications.rollOut(live.id, { image: wanted.image, instanceType: wanted.instanceType });
}

/** Deletes an application that holds the name but belongs to a deleted script. */
async function removeOrphan(
  namespaces: DurableObjectNamespaces,
  applications: ContainerApplications,
  wanted: Inputs,
): Promise<void> {
  const holder = await applications.find((application) => application.name === wanted.name);
  if (holder === undefined) return;
  if (!(await namespaces.exists(wanted.accountId, holder.namespaceId))) await applications.delete(holder.id);
}

function scriptSettings(clients: Clients, { accountId, dispatchNamespace: namespace, scriptName }: Inputs) {
  return new NamespacedScripts(clients.cloudflare()).settings({ accountId, namespace, scriptName });
}

/** The containers belong to the owner of the script. @throws UserError if that is another stack */
async function refuseOthers(clients: Clients, given: Inputs, before?: string): Promise<void> {
  refuseForeignScript(given, (await scriptSettings(clients, given))?.tags, before);
}

const parseId = (id: string) => parseResourceId(id, "a container application", ["accountId", "applicationId"] as const);

export const containerApplication = resource<Clients, Inputs, Outputs>({
  type: "tenantry:index:ContainerApplication",
  inputs,
  replaceOn: ["accountId", "name", "dispatchNamespace", "scriptName", "className"],
  removes:
    "The application and its containers, with what is on their disks. Where `backup.beforeDelete` is set, a backup of it is made first.",
  // Address and token may change without an update; the state stores the new ones.
  ignore: ["backup", "takeOver"],
  owned: isSameStack,
  identity: ({ accountId, name }) => `${accountId}/${name}`,

  async create(clients, wanted, run) {
    const namespaces = clients.durableObjectNamespaces();
    const applications = new ContainerApplications(clients.cloudflare(), wanted.accountId);
    const script = await scriptSettings(clients, wanted);
    const namespaceId = await namespaces.idOf(wanted.accountId, wanted, script);
    if (namespaceId === undefined) {
      const { scriptName, dispatchNamespace, className } = wanted;
      throw new UserError(
        `The script ${scriptName} of ${dispatchNamespace} has no Durable Object class '${className}'. Add it to the script's migrations.`,
      );
    }
    refuseForeignScript(wanted, script?.tags);
    const present = await applications.find((application) => application.namespaceId === namespaceId);
    if (present === undefined) await removeOrphan(namespaces, applications, wanted);
    const id = present?.id ?? (await applications.create({ ...wanted, namespaceId }));
    const outputs = { applicationId: id, namespaceId };
    if (present !== undefined) {
      await reconcileApplication(applications, present, wanted, run).catch((error: unknown) => {
        const reason = sentence(error, cloudflareErrorMessage);
        throw new PartialError(
          `${wanted.accountId}/${id}`,
          outputs,
          `The application exists, but its update failed: ${reason}`,
        );
      });
    }
    return { id: `${wanted.accountId}/${id}`, outputs };
  },

  async read(clients, id, known) {
    const { accountId, applicationId } = parseId(id);
    const live = await new ContainerApplications(clients.cloudflare(), accountId).get(applicationId);
    if (live === undefined) return undefined;
    const { name, image, instanceType, maxInstances, namespaceId } = live;
    const owner = await clients.durableObjectNamespaces().ownerOf(accountId, namespaceId, known?.inputs);
    // Its script was deleted, or recreated with another namespace, so it serves nothing.
    if (owner === undefined) return undefined;
    const { dispatchNamespace, scriptName, className } = owner;
    const { backup, owner: knownOwner = "" } = known?.inputs ?? {};
    return {
      inputs: {
        accountId,
        name,
        dispatchNamespace,
        scriptName,
        className,
        image,
        instanceType: inputs.shape.instanceType.parse(instanceType),
        maxInstances,
        ...(backup !== undefined && { backup }),
        owner: knownOwner,
        takeOver: false,
      },
      outputs: { applicationId, namespaceId },
    };
  },

  async update(clients, _id, wanted, old, run) {
    await refuseOthers(clients, wanted, old.inputs.owner);
    const applications = new ContainerApplications(clients.cloudflare(), wanted.accountId);
    await reconcileApplication(applications, { ...old.inputs, id: old.outputs.applicationId }, wanted, run);
    return old.outputs;
  },

  async delete(clients, _id, { inputs, outputs }, run) {
    const { accountId, name, backup } = inputs;
    await refuseOthers(clients, { ...inputs, takeOver: false });
    if (backup?.beforeDelete) {
      await backUpState(backup, LAST_BACKUP_TIMEOUT_MS, run).catch((error: unknown) => {
        if (run.cancelled.aborted) throw error;
        return run.warn(`${name} is removed without a last backup of its state: ${sentence(error)}`);
      });
    }
    await new ContainerApplications(clients.cloudflare(), accountId).delete(outputs.applicationId);
  },
});
