import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** One import of a source file: of another file, by its path in the project, or of a package or part of Node.js. */
export type Import = { from: string; to: string; isOurs: boolean; isTypeOnly: boolean }

/** `import … from '…'`, `export … from '…'`, `import '…'`, `import('…')` and `new URL('….ts', import.meta.url)`. */
const IMPORT =
  /^(?:import|export)\s(type\s)?[^'";]*?from\s'([^']+)'|^import\s'([^']+)'|import\('([^']+)'\)|new URL\('([^']+\.ts)', import\.meta\.url\)/gm

/** Every import of every source file that is no test. */
export function readImports(): Import[] {
  const files = globSync(['src/**/*.ts', 'web/**/*.{ts,tsx}', 'clients/typescript/src/**/*.ts'], { cwd: ROOT }).filter(
    (file) => !/\.test\.tsx?$/.test(file) && !file.startsWith('web/dashboard/generated/'),
  )
  return files.flatMap((file) => importsOf(file, readFileSync(join(ROOT, file), 'utf8')))
}

/** Returns the imports in the text of a file. */
export function importsOf(from: string, text: string): Import[] {
  return [...text.matchAll(IMPORT)].map(([, type, named, bare, dynamic, url]) => {
    const written = named ?? bare ?? dynamic ?? (url.startsWith('.') ? url : `./${url}`)
    // Vite reads what follows the question mark: how to bundle the file.
    const target = written.startsWith('.') ? written.replace(/\?.*$/, '') : written
    const isTypeOnly = type !== undefined
    if (target.startsWith('#platform/')) return { from, to: `src/${target.slice(1)}`, isOurs: true, isTypeOnly }
    if (target.startsWith('#project/')) return { from, to: target.slice('#project/'.length), isOurs: true, isTypeOnly }
    if (target.startsWith('.')) return { from, to: normalize(join(dirname(from), target)), isOurs: true, isTypeOnly }
    return { from, to: target, isOurs: false, isTypeOnly }
  })
}
