import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

// The set-up runs this file as it was built, on Node.js 18 too, so it imports no package and resolves nothing when it
// is loaded.

/**
 * Refuses to run a build whose sources have changed since: readers of the sources would see another program.
 * @param program address of the program's main file; sources that run as they are need no check
 * @throws Error that tells how to build again
 */
export function requireCurrentBuild(program: string): void {
  if (program.endsWith('.ts') || isBuiltFromSources(projectPath('.'), fileURLToPath(new URL('.', program)))) return
  throw new Error(
    'this build of the server is older than its sources. Run it with npm, which builds it again, or run: node scripts/build-server.ts',
  )
}

/** Name of the file in a build that holds the hash of the sources that it was built from. */
export const BUILT_MARK = '.built'

/** Files that build the server. They are among its sources. */
const BUILDERS = [join('scripts', 'build-server.ts'), join('scripts', 'bundle-server.ts')]

/** Returns whether a file below `src` is part of a build. */
export function isPartOfServer(file: string): boolean {
  return !file.endsWith('.test.ts')
}

/** Returns one hash of the names and contents of everything that a build depends on. Takes about 15 ms. */
export function hashOfServerSources(project: string): string {
  const sum = createHash('sha256')
  for (const file of [...filesBelow(join(project, 'src')), ...BUILDERS.map((file) => join(project, file))]) {
    const content = readFileSync(file)
    sum.update(`${relative(project, file).split(sep).join('/')}\0${content.length}\0`).update(content)
  }
  return sum.digest('hex')
}

/**
 * Returns whether a build has the sources of its project. A copy without sources, such as a
 * server image, has nothing to differ from.
 * @param project the project's folder
 * @param build the folder of the build
 */
export function isBuiltFromSources(project: string, build: string): boolean {
  if (!existsSync(join(project, BUILDERS[0]))) return true
  const mark = join(build, BUILT_MARK)
  return existsSync(mark) && readFileSync(mark, 'utf8') === hashOfServerSources(project)
}

/** Returns the files of a folder and its subfolders, in a fixed order. */
function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) return filesBelow(path)
      return isPartOfServer(entry.name) ? [path] : []
    })
}

/** Returns the hash of the sources of the build that runs; undefined for sources that run as they are. */
export function ownBuild(): string | undefined {
  const mark = fileURLToPath(new URL(`../../${BUILT_MARK}`, import.meta.url))
  return existsSync(mark) ? readFileSync(mark, 'utf8') : undefined
}

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

/**
 * Reads how this installation runs its admin command. If the setting is empty, it is npm in a copy of the project with
 * its scripts, which npm runs, and Node.js elsewhere.
 */
export function adminCommand(setting: string, launcher = projectPath('scripts/run.mjs')): string {
  if (setting !== '') return setting
  return existsSync(launcher) ? 'npm run --silent admin --' : 'node dist/server/admin.js'
}

function projectPath(path: string): string {
  return fileURLToPath(new URL(path, import.meta.resolve('#project/package.json')))
}
