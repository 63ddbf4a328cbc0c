export const MAX_WORKSPACE_NAME_LENGTH = 200

/** Returns a workspace's name as it is stored, without surrounding white space. */
export function parseWorkspaceName(text: string): string {
  return text.trim()
}

/** Describes what a workspace's name must be; undefined for a valid one. */
export function workspaceNameProblem(text: string): string | undefined {
  if (text.length > MAX_WORKSPACE_NAME_LENGTH) return `must have at most ${MAX_WORKSPACE_NAME_LENGTH} characters`
  return parseWorkspaceName(text) === '' ? 'must have more than white space' : undefined
}
