import { useState } from "react";
import { Button } from "../button.tsx";
import { TextField, type TextFieldProps } from "./field.tsx";

type SecretFieldProps = Omit<TextFieldProps, "type" | "spellCheck" | "autoComplete" | "beside">;

/** A text that the screen shows on request only. */
export function SecretField(props: SecretFieldProps) {
  const [isShown, setShown] = useState(false);
  return (
    <TextField
      {...props}
      type={isShown ? "text" : "password"}
      // A browser may send text that it checks for spelling to a server.
      spellCheck={false}
      beside={
        <Button onClick={() => setShown(!isShown)}>
          {isShown ? "Hide" : "Show"}
          <span className="sr-only"> {props.label}</span>
        </Button>
      }
    />
  );
}
