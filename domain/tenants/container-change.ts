/** Inputs of a container application by whose change the container that runs is ended for another. */
export const CONTAINER_INPUTS: readonly string[] = ["image", "instanceType"];
