import { readFileSync } from 'node:fs'
import { projectPath } from './project-path.mjs'

/** Oldest Node.js with everything that is used: TypeScript as it is, and Argon2 in its cryptography. */
export const OLDEST_NODE = /\d+\.\d+/.exec(JSON.parse(readProjectFile('package.json')).engines.node)[0]

/**
 * Returns the versions to bring, best first. The newest needs libraries that small systems lack (libatomic, on Linux);
 * the release with long-term support does not.
 */
export function versionsToBring() {
  return ['.node-version', '.node-version-lts'].map((name) => readProjectFile(name).trim())
}

/**
 * Returns whether the project runs on this version of Node.js.
 * @param {string} version
 */
export function isRecent(version) {
  const [major, minor] = version.split('.').map(Number)
  const [oldestMajor, oldestMinor] = OLDEST_NODE.split('.').map(Number)
  return major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)
}

/** @param {string} name */
function readProjectFile(name) {
  return readFileSync(projectPath(name), 'utf8')
}
