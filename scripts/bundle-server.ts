import { globSync, mkdirSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { type Plugin, rolldown } from 'rolldown'

/**
 * Entries that are bundled together, each with the start of the names of its chunks. Code that programs and threads
 * shared would be divided into more files, and each of them needs its own copy in memory anyway.
 */
const BUNDLES: [chunks: string, entries: string[]][] = [
  ['', ['main.js']],
  ['admin-', ['admin.js']],
  ['threads-', ['**/*-worker.js', 'platform/database/sqlite-writer.js', 'operator/sign-in/password-weakness.js']],
]
/** Packages with native code, or with threads and files of their own, which they look for beside themselves. */
const LEFT_APART = /^(sharp|piscina|pino|pg|@embedpdf\/pdfium|@aws-sdk\/.*|#project\/.*)$/
const OWN_ADDRESS = 'own-address'

/**
 * Bundles a built server in place: what its entries need, packages included, in few files below `chunks`.
 * Node.js then looks for and opens a tenth of the files. All other files of the build stay, for the
 * addresses in the code and for source maps.
 * @param folder absolute path of a build that runs as it is
 */
export async function bundleServer(folder: string): Promise<void> {
  // Before any is written, which takes the place of a source.
  const bundles = await Promise.all(BUNDLES.map(([chunks, entries]) => generate(folder, chunks, entries)))
  for (const write of bundles) write()
}

async function generate(folder: string, chunks: string, patterns: string[]): Promise<() => void> {
  const entries = globSync(patterns, { cwd: folder }).map((file) => file.replaceAll('\\', '/'))
  const bundle = await rolldown({
    input: Object.fromEntries(entries.map((file) => [file.replace(/\.js$/, ''), join(folder, file)])),
    platform: 'node',
    external: LEFT_APART,
    plugins: [keepAddresses(folder)],
    onLog: (level, log) => {
      if (level === 'warn' && log.code !== 'EVAL') throw new Error(log.message)
    },
  })
  const { output } = await bundle.generate({
    dir: folder,
    format: 'esm',
    sourcemap: true,
    sourcemapExcludeSources: true,
    chunkFileNames: `chunks/${chunks}[name].js`,
  })
  await bundle.close()
  return () => {
    mkdirSync(join(folder, 'chunks'), { recursive: true })
    for (const file of output)
      writeFileSync(join(folder, file.fileName), file.type === 'chunk' ? file.code : file.source)
  }
}

/**
 * Lets `import.meta.url` stay the address that a file had before it was bundled: threads and stylesheets lie beside it.
 */
function keepAddresses(folder: string): Plugin {
  return {
    name: OWN_ADDRESS,
    resolveId: (id) => (id === OWN_ADDRESS ? id : undefined),
    load: (id) =>
      id === OWN_ADDRESS
        ? `export const ownAddress = (file) => new URL('../' + file, import.meta.url).href`
        : undefined,
    transform(code, id) {
      if (id.includes('node_modules') || !code.includes('import.meta.url') || id === OWN_ADDRESS) return undefined
      const file = JSON.stringify(relative(folder, id).replaceAll('\\', '/'))
      const addressed = code.replaceAll('import.meta.url', `ownAddress(${file})`)
      return { code: `import { ownAddress } from '${OWN_ADDRESS}'; ${addressed}`, map: null }
    },
  }
}
