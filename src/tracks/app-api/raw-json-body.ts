/** Largest body with points, decompressed. */
const MAX_POINTS_BODY_BYTES = 64 * 1_048_576

/**
 * Options of routes whose body schema only serves the API reference. A scanner of our own validates the body: a schema
 * validator needs an object for each of 10,000 points, the scanner reads bytes into columns.
 */
export const rawJsonBody = {
  config: { rawJson: { limitBytes: MAX_POINTS_BODY_BYTES } },
  validatorCompiler: () => () => true,
} as const
