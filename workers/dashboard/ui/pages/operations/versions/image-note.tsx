import { type Image, imageRoutes } from "#workers/contracts/api/tenants/images.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { fieldFaults } from "#workers/dashboard/ui/api/faults.ts";
import { FormDialog } from "#workers/dashboard/ui/kit/form/dialog.tsx";
import { TextArea } from "#workers/dashboard/ui/kit/form/field.tsx";
import { useRowDraft } from "#workers/dashboard/ui/kit/form/row-draft.ts";
import { toast } from "#workers/dashboard/ui/kit/toast/toast.ts";
import { imageName } from "./version-names.ts";

/** What people are to know of an image. */
export function ImageNote({ image, onClose }: { image: Image; onClose: () => void }) {
  const { tag } = imageRoutes.updateImage;
  const draft = useRowDraft<Pick<Image, "note">>(`image-note.${image.id}`, image.version, tag);
  const close = () => {
    draft.forget();
    onClose();
  };
  const update = useChange(imageRoutes.updateImage, {
    onDone: () => {
      close();
      toast({ title: "The note is saved" });
    },
  });
  const { note = image.note } = draft.typed;
  return (
    <FormDialog
      open
      onClose={close}
      title={`Note on ${imageName(image)}`}
      action="Save"
      busy={update.isPending}
      error={update.error}
      onReadAnew={() => void draft.readAnew().then(update.reset)}
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
