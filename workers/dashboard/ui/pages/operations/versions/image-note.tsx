import { useQueryClient } from "@tanstack/react-query";
import { type Image, imageRoutes } from "../../../../../contracts/api/images.ts";
import { useChange } from "../../../api/change.ts";
import { fieldFaults } from "../../../api/faults.ts";
import { FormDialog } from "../../../kit/dialog.tsx";
import { useDraft } from "../../../kit/draft.ts";
import { TextArea } from "../../../kit/field.tsx";
import { toast } from "../../../kit/toast.ts";
import { imageName } from "./version-names.ts";

/** What people are to know of an image. */
export function ImageNote({ image, onClose }: { image: Image; onClose: () => void }) {
  const queries = useQueryClient();
  const [values, set, forget] = useDraft(`image-note.${image.id}`, { note: image.note });
  const update = useChange(imageRoutes.updateImage, {
    onDone: () => {
      forget();
      onClose();
      toast({ title: "The note is saved" });
    },
  });
  return (
    <FormDialog
      open
      onClose={onClose}
      title={`Note on ${imageName(image)}`}
      action="Save"
      busy={update.isPending}
      error={update.error}
      onReadAnew={() => void queries.invalidateQueries({ queryKey: [imageRoutes.listImages.tag] }).then(update.reset)}
      onSubmit={() => update.mutate({ params: { id: image.id }, body: values, version: image.version })}
    >
      <TextArea
        label="Note"
        optional
        maxLength={500}
        value={values.note}
        onChange={(note) => set({ note })}
        fault={fieldFaults(update.error).note}
      />
    </FormDialog>
  );
}
