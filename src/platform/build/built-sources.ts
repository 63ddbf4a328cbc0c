import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'

// The set-up step runs this file as it was built, on Node.js 18 too.

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

/** Returns the files of a folder and of those in it, in a fixed order. */
function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) return filesBelow(path)
      return isPartOfServer(entry.name) ? [path] : []
    })
}
