import { imageRoutes } from "#workers/contracts/api/tenants/images.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { fieldFaults } from "#workers/dashboard/ui/api/faults.ts";
import { FormDialog } from "#workers/dashboard/ui/kit/form/dialog.tsx";
import { useDraft } from "#workers/dashboard/ui/kit/form/draft.ts";
import { TextArea, TextField } from "#workers/dashboard/ui/kit/form/field.tsx";
import { toast } from "#workers/dashboard/ui/kit/toast/toast.ts";
import { imageName } from "./version-names.ts";

const BLANK = { reference: "", gateway: "openclaw", gateway_version: "", note: "" };

export function AddImage({ onClose }: { onClose: () => void }) {
  const [values, set, forget] = useDraft("image", BLANK);
  const close = () => {
    forget();
    onClose();
  };
  const add = useChange(imageRoutes.addImage, {
    onDone: (image) => {
      close();
      toast({ title: `${imageName(image)} is in the catalogue`, about: "No tenant runs it yet: start a roll-out." });
    },
  });
  const faults = fieldFaults(add.error);
  return (
    <FormDialog
      open
      onClose={close}
      title="Add an image"
      about="It has to be where the platform's containers are pulled from already."
      action="Add"
      busy={add.isPending}
      error={add.error}
      ready={values.reference.trim() !== "" && values.gateway_version.trim() !== ""}
      onSubmit={() => add.mutate({ body: values })}
    >
      <TextField
        label="Image"
        about="With its digest: a tag may mean another image tomorrow."
        placeholder="registry.example.com/gateway@sha256:…"
        value={values.reference}
        onChange={(reference) => set({ reference })}
        fault={faults.reference}
        spellCheck={false}
        autoComplete="off"
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
          about="As the image tells it itself."
          placeholder="2026.11.20"
          value={values.gateway_version}
          onChange={(gateway_version) => set({ gateway_version })}
          fault={faults.gateway_version}
          spellCheck={false}
          autoComplete="off"
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
    </FormDialog>
  );
}
