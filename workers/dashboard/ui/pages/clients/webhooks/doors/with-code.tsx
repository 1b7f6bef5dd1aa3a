/** Text in which backticks mark code. */
export const WithCode = ({ text }: { text: string }) =>
  text.split("`").map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of a constant text never move.
      <code key={index}>{part}</code>
    ),
  );
