import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { Button } from "./button.tsx";
import { toast } from "./toast/toast.ts";

const SHOWN_MS = 2_000;

/** Puts a text into the clipboard. @param props.what what it is, for its name */
export function CopyButton({ text, what }: { text: string; what: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
      setTimeout(() => setCopied(false), SHOWN_MS);
    } catch {
      toast({
        kind: "failed",
        title: "Not copied",
        about: "The browser does not let this page copy; mark the text and copy it.",
      });
    }
  };
  return (
    <Button look="ghost" small icon onClick={() => void copy()} aria-label={copied ? "Copied" : `Copy ${what}`}>
      {copied ? <Check aria-hidden="true" /> : <Copy aria-hidden="true" />}
    </Button>
  );
}
