/** Name of whom a call of a model is charged to. Null: the agent named nobody. */
export const personName = (person: string | null): string => person ?? "Agent (not attributed to a person)";
