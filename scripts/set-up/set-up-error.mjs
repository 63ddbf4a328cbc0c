/** A failure that its message explains, without a stack. */
export class SetUpError extends Error {}
