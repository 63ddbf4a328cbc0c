import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/**
 * Returns the full path of a file of the project.
 * @param {string[]} parts
 */
export function projectPath(...parts) {
  return join(root, ...parts)
}
