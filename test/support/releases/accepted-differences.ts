/**
 * Differences between the answers of a released version and those of the present one after an upgrade that are meant.
 * Each has its reason; a change that no operator, app or reader could miss belongs into CHANGELOG.md as well.
 */
export const acceptedDifferences: readonly {
  /** The version whose answers differ. */
  version: string
  /** Names of questions. */
  of: RegExp
  /** The difference, as `differences` words it. */
  is: RegExp
  because: string
}[] = [
  {
    version: '0.1.0',
    of: /^settings$/,
    is: /^json\.version: /,
    because: 'the version names the program and its build',
  },
]

/**
 * Changes of the schema by which instances of a version fail or wait beside those of the next one, and which are meant.
 */
export const acceptedChanges: readonly { version: string; is: RegExp; because: string }[] = []
