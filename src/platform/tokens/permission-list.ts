/**
 * Permissions as they are stored and as a command line gives them: names with commas between them. They are kept in the
 * order of `known`, each once, so that equal permissions have equal texts.
 */
export function formatPermissions<Permission extends string>(
  permissions: readonly Permission[],
  known: readonly Permission[],
): string {
  return known.filter((permission) => permissions.includes(permission)).join()
}

/** Reads stored permissions. A name that this version does not know opens nothing. */
export function parsePermissions<Permission extends string>(
  text: string,
  known: readonly Permission[],
): readonly Permission[] {
  const names = text.split(',')
  return known.filter((permission) => names.includes(permission))
}

/**
 * Reads the permissions that someone has typed, with commas between them.
 * @returns the sentence that says what is wrong, where something is
 */
export function readPermissions<Permission extends string>(
  text: string,
  known: readonly Permission[],
): readonly Permission[] | { problem: string } {
  const names = text.split(',').map((name) => name.trim())
  const unknown = names.find((name) => !known.some((permission) => permission === name))
  if (unknown === undefined) return parsePermissions(names.join(), known)
  return { problem: `${JSON.stringify(unknown)} is not a permission. There are ${known.join(', ')}.` }
}
