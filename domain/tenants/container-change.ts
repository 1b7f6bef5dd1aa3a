/** Inputs of a container application whose change replaces the running container. */
export const CONTAINER_INPUTS: readonly string[] = ["image", "instanceType"];
