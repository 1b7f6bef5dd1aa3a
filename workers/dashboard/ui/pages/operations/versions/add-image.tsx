import { imageRoutes } from "#workers/contracts/api/tenants/images.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { fieldFaults } from "#workers/dashboard/ui/api/faults.ts";
import { FormDialog } from "#workers/dashboard/ui/kit/form/dialog.tsx";
import { useDraft } from "#workers/dashboard/ui/kit/form/draft.ts";
import { TextArea, TextField } from "#workers/dashboard/ui/kit/form/field.tsx";
import { imageName } from "./version-names.ts";

const BLANK = { reference: "", gateway: "openclaw", gateway_version: "", note: "", release_notes: "" };

export function AddImage({ onClose }: { onClose: () => void }) {
  const [values, set, close] = useDraft("image", BLANK, onClose);
  const add = useChange(imageRoutes.addImage, {
    success: (image) => ({ title: `${imageName(image)} added`, about: "Start a rollout to move tenants to it." }),
    onDone: close,
  });
  const faults = fieldFaults(add.error);
  return (
    <FormDialog
      onClose={close}
      title="Add image"
      about="The image must be in a registry from which the platform's containers are pulled."
      action="Add image"
      change={add}
      ready={values.reference.trim() !== "" && values.gateway_version.trim() !== ""}
      onSubmit={() => add.mutate({ body: values })}
    >
      <TextField
        label="Image"
        about="Include the digest, because a tag can move to another image."
        placeholder="registry.example.com/gateway@sha256:…"
        value={values.reference}
        onChange={(reference) => set({ reference })}
        fault={faults.reference}
        spellCheck={false}
        className="font-mono text-xs"
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label="Gateway"
          value={values.gateway}
          onChange={(gateway) => set({ gateway })}
          fault={faults.gateway}
          spellCheck={false}
        />
        <TextField
          label="Version"
          about="As the image reports it."
          placeholder="2026.11.20"
          value={values.gateway_version}
          onChange={(gateway_version) => set({ gateway_version })}
          fault={faults.gateway_version}
          spellCheck={false}
        />
      </div>
      <TextArea
        label="Note"
        optional
        maxLength={500}
        value={values.note}
        onChange={(note) => set({ note })}
        fault={faults.note}
      />
      <TextArea
        label="Release notes"
        about="Users of tenants read them."
        optional
        maxLength={20_000}
        value={values.release_notes}
        onChange={(release_notes) => set({ release_notes })}
        fault={faults.release_notes}
      />
    </FormDialog>
  );
}
