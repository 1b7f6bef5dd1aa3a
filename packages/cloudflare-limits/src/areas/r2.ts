import { type Limit, PAGES } from "../limit.ts";

const page = PAGES.r2;

export const r2 = {
  buckets: {
    of: "Buckets of an account",
    value: 100_000,
    page,
    beyond: { status: 400, code: 10009, text: "An account has at most {limit} buckets" },
  },
  bucketOperations: {
    of: "Operations on a bucket itself per second",
    value: 50,
    unit: "requests",
    page,
    beyond: "The API responds with status 429; the code is not documented.",
  },
  bucketLifecycleRules: {
    of: "Lifecycle rules of a bucket",
    value: 1_000,
    page: PAGES.r2Lifecycle,
    beyond: { status: 400, code: 10061, text: "Invalid Lifecycle Configuration: at most {limit} rules" },
  },
  objectKey: {
    of: "Key of an object",
    value: 1_024,
    unit: "bytes",
    page,
    beyond: "The write throws: `The specified object name is not valid. (10020)`.",
  },
  objectMetadata: {
    of: "Metadata of an object",
    value: 8_192,
    unit: "bytes",
    page,
    beyond: "The write throws: `Your metadata headers exceed the maximum allowed metadata size. (10012)`.",
  },
  objectUpload: {
    of: "Upload of an object, or of a part",
    value: 5_363_466_240,
    unit: "bytes",
    page,
    beyond: "The write throws: `Your proposed upload exceeds the maximum allowed object size. (100100)`.",
  },
  objectParts: {
    of: "Parts of a multipart upload",
    value: 10_000,
    page,
    beyond: "The upload of the part throws; the text is not documented.",
  },
  objectSize: {
    of: "Object, uploaded in parts",
    value: 5 * 1_024 ** 4 - 5 * 1_024 ** 3,
    unit: "bytes",
    page,
    beyond: "The completion throws; the text is not documented.",
  },
  objectWrites: {
    of: "Concurrent writes to one object per second",
    value: 1,
    page,
    beyond: "The write throws with status 429.",
  },
  objectListPage: {
    of: "Objects of a page of a list, and keys of a delete",
    value: 1_000,
    page: PAGES.r2Objects,
    beyond: "`list` and `delete` throw.",
  },
} as const satisfies Record<string, Limit>;
