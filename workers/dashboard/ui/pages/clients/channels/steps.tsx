/** What the owner of a bot does by hand. */
export const Steps = ({ steps }: { steps: readonly string[] }) => (
  <ol className="list-decimal pl-5 text-soft">
    {steps.map((step) => (
      <li key={step}>{step}</li>
    ))}
  </ol>
);
