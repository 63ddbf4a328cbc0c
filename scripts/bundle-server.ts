import { globSync, mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
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
/**
 * Packages that a package of Fastify loads at once though nothing here uses them, or little, and what takes their
 * place: the API description is asked for as an object, files are served without a list of them, streams are those of
 * Node.js, and of the types of files matters which ones are compressed.
 */
const IN_PLACE_OF: Record<string, () => string> = {
  yaml: () => 'export {}',
  glob: () => 'export {}',
  'readable-stream': () => `module.exports = require('node:stream')`,
  'mime-db': () => `module.exports = ${JSON.stringify(compressibleTypes())}`,
}
const OWN_ADDRESS = 'own-address'
const PLACED = 'in-place-of:'

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
    plugins: [keepAddresses(folder), leaveOutUnused()],
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
    // V8 keeps the source of all that it loads, and takes two bytes for each character if one of them is not ASCII.
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: false, asciiOnly: true } },
    comments: false,
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

function leaveOutUnused(): Plugin {
  return {
    name: PLACED,
    resolveId: (id, importer) =>
      id in IN_PLACE_OF && importer?.replaceAll('\\', '/').includes('/node_modules/@fastify/')
        ? PLACED + id
        : undefined,
    load: (id) => (id.startsWith(PLACED) ? IN_PLACE_OF[id.slice(PLACED.length)]() : undefined),
  }
}

/** Returns the types of files for which it is known whether they get smaller. */
function compressibleTypes(): Record<string, { compressible: boolean }> {
  const types: Record<string, { compressible?: boolean }> = createRequire(import.meta.url)('mime-db')
  return Object.fromEntries(
    Object.entries(types).flatMap(([type, { compressible }]) =>
      compressible === undefined ? [] : [[type, { compressible }]],
    ),
  )
}
