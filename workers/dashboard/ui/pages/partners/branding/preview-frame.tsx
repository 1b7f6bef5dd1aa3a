import { useState } from "react";
import { classes } from "#workers/dashboard/ui/kit/classes.ts";

export interface PreviewFrameProps {
  title: string;
  address: string;
  /** What else it shows: with another it is loaded anew. */
  version: string | null;
}

/** Shows a page that can do nothing; the one before stays until it is there. */
export function PreviewFrame({ title, address, version }: PreviewFrameProps) {
  const wanted = `${address} ${version}`;
  const [shown, setShown] = useState<{ key: string; address: string }>();
  // Each has an element of its own: what is loaded into one that is there would be a step of the browser's history.
  const frames = [...(shown === undefined || shown.key === wanted ? [] : [shown]), { key: wanted, address }];
  return frames.map((frame) => {
    const isWanted = frame.key === wanted;
    return (
      <iframe
        key={frame.key}
        title={isWanted ? title : "The preview of before"}
        src={frame.address}
        sandbox=""
        onLoad={isWanted ? () => setShown(frame) : undefined}
        className={classes(
          "absolute inset-0 size-full border-0 bg-white",
          isWanted && shown?.key !== wanted && "invisible",
        )}
      />
    );
  });
}
