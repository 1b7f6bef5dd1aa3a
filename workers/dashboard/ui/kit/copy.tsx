import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { Button } from "./button.tsx";
import { showToast } from "./toast/toast.ts";

const SHOWN_MS = 2_000;

/** @param props.what names the text in the button's label, such as "slug" */
export function CopyButton({ text, what }: { text: string; what: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
      setTimeout(() => setCopied(false), SHOWN_MS);
    } catch {
      showToast({
        kind: "failed",
        title: `Failed to copy ${what}`,
        about: "The browser denied access to the clipboard. Select the text and copy it.",
      });
    }
  };
  return (
    <Button variant="ghost" small icon onClick={() => void copy()} aria-label={copied ? "Copied" : `Copy ${what}`}>
      {copied ? <Check aria-hidden="true" /> : <Copy aria-hidden="true" />}
    </Button>
  );
}
