import * as pulumi from "@pulumi/pulumi";

export interface NoteArgs {
  /** Name of the file without `.txt`. Another name replaces the note. */
  name: pulumi.Input<string>;
  text: pulumi.Input<string>;
}

/** A text file in the folder `notes:folder`. */
export class Note extends pulumi.CustomResource {
  /** Path of the file. */
  declare readonly path: pulumi.Output<string>;

  constructor(name: string, args: NoteArgs, options?: pulumi.CustomResourceOptions) {
    super("notes:index:Note", name, { ...args, path: undefined }, options);
  }
}
