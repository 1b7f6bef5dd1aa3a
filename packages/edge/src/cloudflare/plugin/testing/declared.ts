import type * as pulumi from "@pulumi/pulumi";
import type { RecordKind, Records } from "#account/records.ts";

/** Variations of the program. */
export interface Variant {
  /** Changes one property of every updatable resource. */
  edition: number;
  /** Name of the bucket; another one replaces the bucket. */
  bucket: string;
}

interface Definition<T extends pulumi.Resource, K extends RecordKind> {
  make: (variant: Variant) => T;
  /** Kind of its record. Default: it is part of another's record. */
  record?: K;
  /** Type in the provider without the module, and the import id. Default: it is not imported. */
  import?: { type: string; id: (record: Records[K]) => string };
  /** Whether `edition` changes it. Default: true. */
  changes?: boolean;
  /** Whether its record remains after the delete. Default: false. */
  stays?: boolean;
  /** Whether it is deleted with the bucket. Default: false. */
  ofBucket?: boolean;
  /** Outputs of the program. Default: none. */
  outputs?: (made: T) => Record<string, pulumi.Input<unknown>>;
}

/** Declares a resource for a variant. */
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
