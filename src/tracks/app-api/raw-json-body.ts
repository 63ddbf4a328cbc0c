/**
 * For routes whose schema describes the body for readers of the documentation while a reader of our own validates it:
 * a schema validator needs an object for each of 10,000 points, the reader goes from bytes to columns.
 */
export const rawJsonBody = {
  config: { rawJson: true },
  validatorCompiler: () => () => true,
} as const
