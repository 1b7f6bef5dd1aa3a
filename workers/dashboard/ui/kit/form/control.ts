export const CONTROL =
  "rounded-md border border-line-strong bg-raised px-2.5 text-text outline-offset-0 transition-colors hover:border-quiet " +
  "disabled:opacity-60 aria-invalid:border-bad data-[invalid]:border-bad";
