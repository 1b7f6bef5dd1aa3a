import { useState } from "react";
import { joinClasses } from "#workers/dashboard/ui/kit/classes.ts";

interface PreviewFrameProps {
  title: string;
  address: string;
  /** A change reloads the frame. */
  version: string | null;
}

/** Keeps the previous page until the next is loaded. */
export function PreviewFrame({ title, address, version }: PreviewFrameProps) {
  const wanted = `${address} ${version}`;
  const [shown, setShown] = useState<{ key: string; address: string }>();
  // A new element per page: navigating an existing frame would add to the browser's history.
  const frames = [...(shown === undefined || shown.key === wanted ? [] : [shown]), { key: wanted, address }];
  return frames.map((frame) => {
    const isWanted = frame.key === wanted;
    return (
      <iframe
        key={frame.key}
        title={isWanted ? title : "Previous preview"}
        src={frame.address}
        sandbox=""
        onLoad={isWanted ? () => setShown(frame) : undefined}
        className={joinClasses(
          "absolute inset-0 size-full border-0 bg-white",
          isWanted && shown?.key !== wanted && "invisible",
        )}
      />
    );
  });
}
