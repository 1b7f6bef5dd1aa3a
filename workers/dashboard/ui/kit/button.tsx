import { createLink } from "@tanstack/react-router";
import type { AnchorHTMLAttributes, ButtonHTMLAttributes, MouseEvent, Ref } from "react";
import { joinClasses } from "./classes.ts";

type Variant = "primary" | "plain" | "ghost" | "danger";

const VARIANTS: Readonly<Record<Variant, string>> = {
  primary: "bg-accent text-on-accent border-transparent hover:brightness-110",
  plain: "bg-raised text-text border-line hover:bg-hover",
  ghost: "bg-transparent text-soft border-transparent hover:bg-hover hover:text-text",
  danger: "bg-bad-strong text-white border-transparent hover:brightness-110",
};

const SHAPE =
  "inline-flex shrink-0 items-center justify-center gap-1.5 rounded-md border text-[0.8125rem] font-medium leading-none " +
  "whitespace-nowrap no-underline transition-colors select-none disabled:opacity-55 disabled:cursor-not-allowed aria-disabled:opacity-55 aria-disabled:cursor-not-allowed [&_svg]:size-4 [&_svg]:shrink-0";

interface Shape {
  variant?: Variant | undefined;
  /** Shows only an icon: set `aria-label`. */
  icon?: boolean | undefined;
  small?: boolean | undefined;
}

const shapeOf = ({ variant = "plain", icon = false, small = false }: Shape) =>
  joinClasses(
    SHAPE,
    VARIANTS[variant],
    small ? "h-7" : "h-8.5",
    icon ? (small ? "w-7" : "w-8.5") : small ? "px-2.5" : "px-3.5",
  );

export interface ButtonProps extends Shape, ButtonHTMLAttributes<HTMLButtonElement> {
  /** Shows a spinner and ignores clicks, but keeps the focus. */
  busy?: boolean;
  ref?: Ref<HTMLButtonElement>;
}

/** `disabled` would lose the focus. Tab still leaves the button. */
const BUSY = {
  "aria-busy": true,
  "aria-disabled": true,
  onClick(event: MouseEvent) {
    event.preventDefault();
    event.stopPropagation();
  },
  onPointerDown: undefined,
  onMouseDown: undefined,
  onKeyDown: undefined,
  onKeyUp: undefined,
};

export const Button = ({
  variant,
  icon,
  small,
  busy = false,
  className,
  children,
  type = "button",
  ...rest
}: ButtonProps) => (
  <button
    {...rest}
    type={type}
    className={joinClasses(shapeOf({ variant, icon, small }), className)}
    {...(busy && BUSY)}
  >
    {busy ? (
      <span
        aria-hidden="true"
        className="inline-block size-3.5 shrink-0 animate-spin rounded-full border-2 border-current border-r-transparent"
      />
    ) : null}
    {children}
  </button>
);

type AnchorProps = Shape & AnchorHTMLAttributes<HTMLAnchorElement> & { ref?: Ref<HTMLAnchorElement> };

/** A link outside of the router that looks like a button. */
export const ButtonAnchor = ({ variant, icon, small, className, ...rest }: AnchorProps) => (
  <a {...rest} className={joinClasses(shapeOf({ variant, icon, small }), className)} />
);
/** A link to a page that looks like a button. */
export const ButtonLink = createLink(ButtonAnchor);
