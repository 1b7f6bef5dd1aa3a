import { useQuery } from "@tanstack/react-query";
import { instanceRoutes } from "#workers/contracts/api/instances/instances.ts";
import { type Image, imageRoutes, type WorkerBundle } from "#workers/contracts/api/tenants/images.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { apiQuery } from "#workers/dashboard/ui/api/queries.ts";
import { FormDialog } from "#workers/dashboard/ui/kit/form/dialog.tsx";
import { useDraft } from "#workers/dashboard/ui/kit/form/draft.ts";
import { type Choice, SelectField } from "#workers/dashboard/ui/kit/form/field.tsx";
import { formatInstant } from "#workers/dashboard/ui/kit/format.ts";
import { Loaded } from "#workers/dashboard/ui/kit/states.tsx";
import { backupsOf } from "../../backups/backups.ts";
import type { ActionDialogProps } from "../action.ts";
import { currentIds, isTooOld, readableBackups, type VersionDraft, versionBody } from "../version-choice.ts";

const NO_CHANGE: VersionDraft = {};

export default function VersionDialog({ instance, onClose }: ActionDialogProps) {
  const { id, runs } = instance;
  const [draft, set, close] = useDraft(`version.${id}`, NO_CHANGE, onClose);
  const now = currentIds(runs);
  const { image: chosen = now.image, worker = now.worker } = draft;
  const images = useQuery(apiQuery(imageRoutes.listImages, {}));
  const bundles = useQuery(apiQuery(imageRoutes.listWorkerBundles, {}));
  const image = images.data?.data.find((one) => one.id === chosen);
  const tooOld = image !== undefined && chosen !== now.image && isTooOld(image, runs);
  const change = useChange(instanceRoutes.changeVersion, {
    also: ["jobs", "versions"],
    success: () => ({ title: "Changing the version", about: "The job below shows when it runs." }),
    onDone: close,
  });
  const body = versionBody(draft, instance, tooOld);
  return (
    <FormDialog
      wide
      onClose={close}
      title="Change version"
      about="The state is backed up, then the container or the Worker is replaced. Users are disconnected meanwhile. If the new version does not run, the instance returns to the current one."
      action="Change version"
      ready={body !== undefined}
      change={change}
      onSubmit={() => (body === undefined ? undefined : change.mutate({ params: { instance_id: id }, body }))}
    >
      <Loaded query={images}>
        {({ data }) => (
          <SelectField
            label="Image"
            value={chosen}
            onChange={(next) => set({ image: next === now.image ? undefined : next, backup: undefined })}
            choices={[{ value: "", name: "Platform default" }, ...data.filter(isOffered(chosen)).map(imageChoice)]}
          />
        )}
      </Loaded>
      {tooOld ? (
        <BackupField instanceId={id} image={image} value={draft.backup ?? ""} onChange={(backup) => set({ backup })} />
      ) : null}
      <Loaded query={bundles}>
        {({ data }) => (
          <SelectField
            label="Worker"
            value={worker}
            onChange={(next) => set({ worker: next === now.worker ? undefined : next })}
            choices={[
              { value: "", name: "Automation service default" },
              ...data.filter(isOffered(worker)).map(workerChoice),
            ]}
          />
        )}
      </Loaded>
    </FormDialog>
  );
}

interface BackupFieldProps {
  instanceId: string;
  image: Image;
  value: string;
  onChange: (backup: string) => void;
}

function BackupField({ instanceId, image, value, onChange }: BackupFieldProps) {
  const backups = useQuery(backupsOf(instanceId));
  return (
    <Loaded query={backups}>
      {({ data }) => (
        <SelectField
          label="Backup to restore"
          about={`The current state is from a newer gateway than ${image.gateway_version}, which cannot read it. The tenant loses its changes since the selected backup. The current state is kept as a backup.`}
          value={value}
          onChange={onChange}
          choices={[
            { value: "", name: "Select a backup", disabled: true },
            ...readableBackups(data, image).map((one) => ({
              value: one.id,
              name: `${formatInstant(one.created_at)}, ${one.gateway?.version ?? ""}`,
            })),
          ]}
        />
      )}
    </Loaded>
  );
}

/** Withdrawn entries are offered only where they are in use. */
const isOffered =
  (now: string) =>
  ({ id, withdrawn_at }: Pick<Image, "id" | "withdrawn_at">): boolean =>
    withdrawn_at === null || id === now;

const imageChoice = ({ id, gateway, gateway_version, default: isDefault, note }: Image): Choice<string> => ({
  value: id,
  name: `${gateway} ${gateway_version}${isDefault ? " (default)" : ""}${note === "" ? "" : ` (${note})`}`,
});

const workerChoice = ({ id, release, content_hash, default: isDefault }: WorkerBundle): Choice<string> => ({
  value: id,
  name: `${release}, ${content_hash.slice(0, 12)}${isDefault ? " (default)" : ""}`,
});
