import { Note } from "./note.ts";

const shopping = new Note("shopping", { name: "shopping", text: "Bread and milk" });

export const path = shopping.path;
