/** Inputs of a container application by whose change the container that runs is ended for another. */
export const ROLLED_OUT: readonly string[] = ["image", "instanceType"];
