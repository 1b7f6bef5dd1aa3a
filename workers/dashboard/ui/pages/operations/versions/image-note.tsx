import { type Image, imageRoutes } from "#workers/contracts/api/tenants/images.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { fieldFaults } from "#workers/dashboard/ui/api/faults.ts";
import { FormDialog } from "#workers/dashboard/ui/kit/form/dialog.tsx";
import { TextArea } from "#workers/dashboard/ui/kit/form/field.tsx";
import { useRowDraft } from "#workers/dashboard/ui/kit/form/row-draft.ts";
import { imageName } from "./version-names.ts";

export function ImageNote({ image, onClose }: { image: Image; onClose: () => void }) {
  const { tag } = imageRoutes.updateImage;
  const draft = useRowDraft<Pick<Image, "note">>(`image-note.${image.id}`, image.version, tag, onClose);
  const update = useChange(imageRoutes.updateImage, {
    success: "Note saved",
    onDone: draft.discard,
  });
  const { note = image.note } = draft.edits;
  return (
    <FormDialog
      onClose={draft.discard}
      title={`Edit note of ${imageName(image)}`}
      action="Save note"
      change={update}
      onReload={draft.reload}
      onSubmit={() => update.mutate({ params: { id: image.id }, body: { note }, version: draft.version })}
    >
      <TextArea
        label="Note"
        optional
        maxLength={500}
        value={note}
        onChange={(text) => draft.change({ note: text })}
        fault={fieldFaults(update.error).note}
      />
    </FormDialog>
  );
}
