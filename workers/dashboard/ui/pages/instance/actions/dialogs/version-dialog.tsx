import { useQuery } from "@tanstack/react-query";
import { type Image, imageRoutes, type WorkerBundle } from "#workers/contracts/api/tenants/images.ts";
import { instanceRoutes } from "#workers/contracts/api/tenants/instances.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { read } from "#workers/dashboard/ui/api/queries.ts";
import { FormDialog } from "#workers/dashboard/ui/kit/form/dialog.tsx";
import { useDraft } from "#workers/dashboard/ui/kit/form/draft.ts";
import { type Choice, SelectField } from "#workers/dashboard/ui/kit/form/field.tsx";
import { formatInstant } from "#workers/dashboard/ui/kit/format.ts";
import { Loaded } from "#workers/dashboard/ui/kit/states.tsx";
import { toast } from "#workers/dashboard/ui/kit/toast/toast.ts";
import { backupsOf } from "../../backups/backups.ts";
import type { ActionDialogProps } from "../action.ts";
import { asItRuns, isTooOld, understood, type VersionDraft, versionBody } from "../version-choice.ts";

const AS_IT_IS: VersionDraft = {};

export default function VersionDialog({ instance, onClose }: ActionDialogProps) {
  const { id, runs } = instance;
  const [draft, set, forget] = useDraft(`version.${id}`, AS_IT_IS);
  const now = asItRuns(runs);
  const { image: chosen = now.image, worker = now.worker } = draft;
  const close = () => {
    forget();
    onClose();
  };
  const images = useQuery(read(imageRoutes.listImages, {}));
  const bundles = useQuery(read(imageRoutes.listWorkerBundles, {}));
  const image = images.data?.data.find((one) => one.id === chosen);
  const tooOld = image !== undefined && chosen !== now.image && isTooOld(image, runs);
  const change = useChange(instanceRoutes.changeVersion, {
    also: ["jobs", "versions"],
    onDone: () => {
      toast({ title: "The version is being changed", about: "The operation below tells when it runs." });
      close();
    },
  });
  const body = versionBody(draft, instance, tooOld);
  return (
    <FormDialog
      open
      wide
      onClose={close}
      title="Change the version"
      about="Its state is backed up first, then its container or its Worker is exchanged: whoever uses it is cut off meanwhile. If the new version does not run, it goes back by itself."
      action="Change the version"
      ready={body !== undefined}
      busy={change.isPending}
      error={change.error}
      onSubmit={() => (body === undefined ? undefined : change.mutate({ params: { instance_id: id }, body }))}
    >
      <Loaded query={images}>
        {({ data }) => (
          <SelectField
            label="Image"
            value={chosen}
            onChange={(next) => set({ image: next === now.image ? undefined : next, backup: undefined })}
            choices={[{ value: "", name: "The platform's" }, ...data.filter(isOffered(chosen)).map(imageChoice)]}
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
              { value: "", name: "The automation service's own" },
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

/** Of what the image understands; what was done since is given up with it. */
function BackupField({ instanceId, image, value, onChange }: BackupFieldProps) {
  const backups = useQuery(backupsOf(instanceId));
  return (
    <Loaded query={backups}>
      {({ data }) => (
        <SelectField
          label="Backup to go back to"
          about={`The present state is of a newer gateway than ${image.gateway_version}, which would not understand it. What was done since that backup is lost to the tenant; the present state is kept as a backup.`}
          value={value}
          onChange={onChange}
          choices={[
            { value: "", name: "Choose one", disabled: true },
            ...understood(data, image).map((one) => ({
              value: one.id,
              name: `${formatInstant(one.created_at)}, ${one.gateway?.version ?? ""}`,
            })),
          ]}
        />
      )}
    </Loaded>
  );
}

/** What was withdrawn is given to nobody, but shown where it is. */
const isOffered =
  (now: string) =>
  ({ id, withdrawn_at }: Pick<Image, "id" | "withdrawn_at">): boolean =>
    withdrawn_at === null || id === now;

const imageChoice = ({ id, gateway, gateway_version, default: isDefault, note }: Image): Choice<string> => ({
  value: id,
  name: `${gateway} ${gateway_version}${isDefault ? ", the default" : ""}${note === "" ? "" : ` (${note})`}`,
});

const workerChoice = ({ id, release, content_hash, default: isDefault }: WorkerBundle): Choice<string> => ({
  value: id,
  name: `${release}, ${content_hash.slice(0, 12)}${isDefault ? ", the default" : ""}`,
});
