// The sources of the web pages, and the check whether the built pages are current. Plain JavaScript for Node.js 18,
// because the set-up step runs it before a newer version may be installed.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const at = (/** @type {string[]} */ ...parts) => join(root, ...parts)

/** The client that is generated from the description of the API, and the folder of a stopped generation. */
const GENERATED = [at('web', 'dashboard', 'generated'), at('web', 'dashboard', '.generated-')]

/** The file with the hash of the sources that the pages were built from. */
export const builtMark = at('dist', '.built')

/** Checks whether the pages have been built from the current sources. */
export function webIsBuilt() {
  if (!existsSync(at('web'))) return true
  return existsSync(builtMark) && readFileSync(builtMark, 'utf8') === hashOfWebSources()
}

/** Checks whether any pages have been built, maybe from older sources. */
export function webWasBuilt() {
  return existsSync(at('dist', 'dashboard', 'index.html'))
}

/** Checks whether the build tool is installed; an installation for production leaves it out. */
export function webCanBeBuilt() {
  return existsSync(at('node_modules', 'vite', 'package.json'))
}

/** Returns one hash of the names and contents of everything that the build depends on. Takes about 10 ms. */
export function hashOfWebSources() {
  const hash = createHash('sha256')
  const web = filesBelow(at('web'))
  const shared = [...sharedFiles(web)].sort()
  const others = [
    at('docs', 'api', 'dashboard.openapi.json'),
    at('package-lock.json'),
    ...['build-web.ts', 'generate-client.ts', 'vite.config.ts'].map((script) => at('scripts', script)),
  ]
  for (const file of [...web, ...shared, ...others]) {
    const content = readFileSync(file)
    hash.update(`${relative(root, file).split(sep).join('/')}\0${content.length}\0`).update(content)
  }
  return hash.digest('hex')
}

/**
 * @param {string} folder
 * @returns {string[]} in a fixed order, without tests and without the client, which is generated
 */
function filesBelow(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) return GENERATED.some((start) => path.startsWith(start)) ? [] : filesBelow(path)
      return /\.test\.tsx?$/.test(entry.name) ? [] : [path]
    })
}

/**
 * Returns the few files of the server and of the client for apps that pages import values from. Type imports leave
 * nothing in a page.
 * @param {string[]} files
 * @param {Set<string>} found
 */
function sharedFiles(files, found = new Set()) {
  for (const file of files.filter((name) => /\.tsx?$/.test(name))) {
    for (const [, name] of readFileSync(file, 'utf8').matchAll(/^import (?!type\b)[^;']*?from '(\.[^']+\.ts)'/gm)) {
      const path = join(dirname(file), name)
      if (
        found.has(path) ||
        ![at('src', sep), at('clients', sep)].some((folder) => path.startsWith(folder)) ||
        !existsSync(path)
      )
        continue
      found.add(path)
      sharedFiles([path], found)
    }
  }
  return found
}
