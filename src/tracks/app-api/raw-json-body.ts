/**
 * Options of routes whose body schema only serves the API reference. A scanner of our own validates the body: a schema
 * validator needs an object for each of 10,000 points, the scanner reads bytes into columns.
 */
export const rawJsonBody = {
  config: { rawJson: true },
  validatorCompiler: () => () => true,
} as const
