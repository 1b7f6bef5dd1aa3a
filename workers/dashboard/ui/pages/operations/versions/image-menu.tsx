import { useRef, useState } from "react";
import { type Image, imageRoutes } from "#workers/contracts/api/tenants/images.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { toast } from "#workers/dashboard/ui/kit/toast/toast.ts";
import { type EntryChange, EntryMenu } from "./entry-menu.tsx";
import { ImageNote } from "./image-note.tsx";
import { tellChange } from "./told-change.ts";
import { imageName } from "./version-names.ts";

export function ImageMenu({ image }: { image: Image }) {
  const [noting, setNoting] = useState(false);
  const name = imageName(image);
  // When it was asked: news of the change may come before its answer.
  const wasDefault = useRef(false);
  const update = useChange(imageRoutes.updateImage, {
    onDone: ({ version }, { body }) =>
      tellChange({ name, change: body, wasDefault: wasDefault.current, undo: (back) => change(back, version) }),
    onFailed: ({ message }) => toast({ kind: "failed", title: `${name} was not changed`, about: message }),
  });
  const change = (body: EntryChange, version: number) => {
    wasDefault.current = image.default;
    update.mutate({ params: { id: image.id }, body, version });
  };
  return (
    <>
      <EntryMenu
        name={name}
        entry={image}
        busy={update.isPending}
        onChange={(body) => change(body, image.version)}
        onNote={() => setNoting(true)}
      />
      {noting ? <ImageNote image={image} onClose={() => setNoting(false)} /> : null}
    </>
  );
}
