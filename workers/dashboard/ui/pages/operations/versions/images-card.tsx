import type { UseQueryResult } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import type { Image } from "#workers/contracts/api/tenants/images.ts";
import { Button } from "#workers/dashboard/ui/kit/button.tsx";
import { CopyButton } from "#workers/dashboard/ui/kit/copy.tsx";
import { formatNumber } from "#workers/dashboard/ui/kit/format.ts";
import { Card } from "#workers/dashboard/ui/kit/layout/card.tsx";
import { type Column, DataTable } from "#workers/dashboard/ui/kit/list/table.tsx";
import { Empty, Loaded } from "#workers/dashboard/ui/kit/states.tsx";
import { Ago } from "#workers/dashboard/ui/kit/time.tsx";
import { AddImage } from "./add-image.tsx";
import { EntryMenu, EntryState } from "./entry-menu.tsx";
import { ImageNote } from "./image-note.tsx";
import { useEntryChange } from "./use-entry-change.ts";
import { imageName, shortReference } from "./version-names.ts";

const columns: readonly Column<Image>[] = [
  { header: "Gateway", share: 1.4, cell: imageName },
  { header: "State", share: 1.1, cell: (image) => <EntryState {...image} /> },
  {
    header: "Tenants",
    right: true,
    share: 0.6,
    from: "sm",
    cell: ({ tenants }) => formatNumber(tenants),
  },
  {
    header: "Image",
    share: 2,
    from: "lg",
    cell: ({ reference }) => (
      <span className="flex items-center gap-1">
        <span className="truncate font-mono text-xs" title={reference}>
          {shortReference(reference)}
        </span>
        <CopyButton text={reference} what="image address" />
      </span>
    ),
  },
  { header: "Note", share: 1.6, from: "md", cell: ({ note }) => <span title={note}>{note}</span> },
  { header: "Added", from: "xl", cell: ({ created_at }) => <Ago at={created_at} /> },
  { header: "Actions", width: 60, right: true, cell: (image) => <ImageMenu image={image} /> },
];

export function ImagesCard({ images }: { images: UseQueryResult<{ data: Image[] }, Error> }) {
  const [adding, setAdding] = useState(false);
  const add = (variant?: "primary") => (
    <Button variant={variant} onClick={() => setAdding(true)}>
      <Plus aria-hidden="true" /> Add image
    </Button>
  );
  return (
    <Card title="Images" about="Container images of the gateway, identified by digest." actions={add()} flush>
      <Loaded query={images}>
        {({ data }) => (
          <DataTable
            label="Images"
            columns={columns}
            rows={data}
            idOf={({ id }) => id}
            empty={
              <Empty title="No images yet" action={add("primary")}>
                Until you add one, tenants run the image from the platform's settings.
              </Empty>
            }
          />
        )}
      </Loaded>
      {adding ? <AddImage onClose={() => setAdding(false)} /> : null}
    </Card>
  );
}

function ImageMenu({ image }: { image: Image }) {
  const [editsNote, setEditsNote] = useState(false);
  const name = imageName(image);
  const { change, isPending } = useEntryChange("image", name, image);
  return (
    <>
      <EntryMenu name={name} entry={image} busy={isPending} onChange={change} onNote={() => setEditsNote(true)} />
      {editsNote ? <ImageNote image={image} onClose={() => setEditsNote(false)} /> : null}
    </>
  );
}
