/** A resource as the plain program is given it. */
export interface PlainResource {
  urn: string;
  type: string;
  name: string;
  custom: boolean;
  /** As an exported state has them: a secret is an object with its `plaintext`. */
  inputs: Record<string, unknown>;
  parent?: string;
  /** URN of the provider that the program declares itself. */
  provider?: string;
  /** Of the engine's own provider for it, where the program declares none. */
  version?: string;
  dependencies: string[];
  ignoreChanges: string[];
  retainOnDelete: boolean;
  additionalSecretOutputs: string[];
}
