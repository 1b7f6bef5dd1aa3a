import { createLink } from "@tanstack/react-router";
import type { ButtonHTMLAttributes, MouseEvent, MouseEventHandler, ReactNode, Ref } from "react";
import { classes } from "./classes.ts";

type Look = "primary" | "plain" | "ghost" | "danger";

const LOOKS: Readonly<Record<Look, string>> = {
  primary: "bg-accent text-on-accent border-transparent hover:bg-accent-strong",
  plain: "bg-raised text-text border-line hover:bg-hover",
  ghost: "bg-transparent text-soft border-transparent hover:bg-hover hover:text-text",
  danger: "bg-bad-strong text-white border-transparent hover:brightness-110",
};

const SHAPE =
  "inline-flex shrink-0 items-center justify-center gap-1.5 rounded-md border text-[0.8125rem] font-medium leading-none " +
  "whitespace-nowrap no-underline transition-colors select-none disabled:opacity-55 disabled:cursor-not-allowed aria-disabled:opacity-55 aria-disabled:cursor-not-allowed [&_svg]:size-4 [&_svg]:shrink-0";

interface Shape {
  look?: Look;
  /** Shows an icon alone: name it by `aria-label`. */
  icon?: boolean;
  small?: boolean;
}

const shapeOf = ({ look = "plain", icon = false, small = false }: Shape) =>
  classes(SHAPE, LOOKS[look], small ? "h-7" : "h-8.5", icon ? (small ? "w-7" : "w-8.5") : small ? "px-2.5" : "px-3.5");

export interface ButtonProps extends Shape, ButtonHTMLAttributes<HTMLButtonElement> {
  /** Whether what it began is under way: it takes no press then, says so, and keeps the keyboard. */
  busy?: boolean;
  ref?: Ref<HTMLButtonElement>;
}

const ignore = (event: MouseEvent) => {
  event.preventDefault();
  event.stopPropagation();
};
/** Disabled, it would lose the keyboard to the page. Tab still leaves it. */
const BUSY = {
  "aria-busy": true,
  "aria-disabled": true,
  onClick: ignore,
  onPointerDown: undefined,
  onMouseDown: undefined,
  onKeyDown: undefined,
  onKeyUp: undefined,
};

export function Button({
  look,
  icon,
  small,
  busy = false,
  className,
  children,
  disabled,
  type = "button",
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      className={classes(shapeOf({ ...(look && { look }), ...(icon && { icon }), ...(small && { small }) }), className)}
      disabled={disabled}
      {...(busy && BUSY)}
    >
      {busy ? <Spinner /> : null}
      {children}
    </button>
  );
}

function PlainAnchor({
  look,
  icon,
  small,
  className,
  ...rest
}: Shape & {
  className?: string;
  children?: ReactNode;
  ref?: Ref<HTMLAnchorElement>;
  onClick?: MouseEventHandler<HTMLAnchorElement>;
}) {
  return (
    <a
      {...rest}
      className={classes(shapeOf({ ...(look && { look }), ...(icon && { icon }), ...(small && { small }) }), className)}
    />
  );
}

/** A link to a page, that looks as a button does. */
export const ButtonLink = createLink(PlainAnchor);
/** The same to an address elsewhere. */
export function ButtonAnchor(
  props: Shape & {
    href: string;
    target?: string;
    rel?: string;
    download?: boolean | string;
    children: ReactNode;
    "aria-label"?: string;
  },
) {
  return <PlainAnchor {...props} />;
}

export function Spinner() {
  return (
    <span
      aria-hidden="true"
      className="inline-block size-3.5 shrink-0 animate-spin rounded-full border-2 border-current border-r-transparent"
    />
  );
}
