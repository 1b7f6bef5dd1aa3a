/** How a kind's resources are declared by a stack program, for tests of the stand-in plug-in through the engine. */
import type * as pulumi from "@pulumi/pulumi";
import type { RecordKind, Records } from "#account/records.ts";

/** What the program of every kind may be told to declare otherwise. */
export interface Variant {
  /** Changes one property of every resource that can be changed. */
  edition: number;
  /** Name of the bucket; another replaces it. */
  bucket: string;
}

interface Definition<T extends pulumi.Resource, K extends RecordKind> {
  make: (variant: Variant) => T;
  /** The kind of record that it becomes, one alone. Default: it is part of another's. */
  record?: K;
  /** Its type in the plug-in, without the module, and its import id. Default: it is not imported. */
  import?: { type: string; id: (record: Records[K]) => string };
  /** Whether another edition changes it. Default: true. */
  changes?: boolean;
  /** Whether its record outlives it. Default: false. */
  stays?: boolean;
  /** Whether it goes when the bucket goes. Default: false. */
  ofBucket?: boolean;
  /** Outputs of the program. Default: none. */
  outputs?: (made: T) => Record<string, pulumi.Input<unknown>>;
}

/** A resource of the program: called with a variant, it declares it once. */
export type Declared<T extends pulumi.Resource = pulumi.Resource, K extends RecordKind = RecordKind> = ((
  variant: Variant,
) => T) &
  Omit<Definition<T, K>, "make">;

export function declared<T extends pulumi.Resource, K extends RecordKind = never>({
  make,
  ...rest
}: Definition<T, K>): Declared<T, K> {
  const made = new WeakMap<Variant, T>();
  const once = (variant: Variant): T => {
    const resource = made.get(variant) ?? make(variant);
    made.set(variant, resource);
    return resource;
  };
  return Object.assign(once, rest);
}
