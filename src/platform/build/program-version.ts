import { ownBuild } from './own-build.ts'

/** Letters of the hash that tell builds apart. */
const HASH_LENGTH = 12

/**
 * Returns the version of the program that runs, which names its build: two builds of one number are two programs, above
 * all before the first release.
 * @param number version of the project
 * @param build hash of its sources; undefined for sources that run as they are
 */
export function programVersion(number: string, build = ownBuild()): string {
  return build === undefined ? number : `${number}+${build.slice(0, HASH_LENGTH)}`
}
