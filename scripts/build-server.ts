import { cpSync, existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { dirname, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { BUILT_MARK, hashOfServerSources, isPartOfServer } from '../src/platform/basics/build.ts'

// Builds the server into dist/server, or into the folder named as an argument: `src` as plain JavaScript, in
// which spaces take the place of types, so that a line in a stack trace is the line of the source; then in
// few files, which load in half the time. The server is built in a folder of its own and then moved into
// place, so that nothing ever sees half of it.

const PROJECT = fileURLToPath(new URL('..', import.meta.url))
const SRC = join(PROJECT, 'src')
/** A file of the server as imports and addresses of threads name it. */
const OWN_FILE = /'(\.{1,2}\/|#platform\/)([^'\n]+)\.ts'/g

await buildServer(join(PROJECT, process.argv[2] ?? join('dist', 'server')))

async function buildServer(place: string): Promise<void> {
  const unfinished = `${place}-unfinished`
  rmSync(unfinished, { recursive: true, force: true })
  for (const file of globSync('**/*.*', { cwd: SRC }).filter(isPartOfServer)) {
    const built = join(unfinished, file.replace(/\.ts$/, '.js'))
    if (existsSync(built)) throw new Error(`Two sources would both become ${file.replace(/\.ts$/, '.js')}. Rename one.`)
    mkdirSync(dirname(built), { recursive: true })
    if (file.endsWith('.ts')) writeFileSync(built, asJavaScript(file))
    else cpSync(join(SRC, file), built)
  }
  await bundle(unfinished)
  writeFileSync(join(unfinished, BUILT_MARK), hashOfServerSources(PROJECT))
  rmSync(place, { recursive: true, force: true })
  renameSync(unfinished, place)
}

/** Bundles the server, unless the packages for development are missing: it runs as it is, and starts more slowly. */
async function bundle(folder: string): Promise<void> {
  try {
    const { bundleServer } = await import('./bundle-server.ts')
    await bundleServer(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
    process.stderr.write(
      'The server is not bundled, because that takes the packages for development. It will start more slowly.\n',
    )
  }
}

/** Returns a source file without types, and with the names of built files in place of its own. */
function asJavaScript(file: string): string {
  const toPlatform = posix.relative(dirname(file).replaceAll('\\', '/'), 'platform') || '.'
  return stripTypeScriptTypes(readFileSync(join(SRC, file), 'utf8')).replace(OWN_FILE, (_, start: string, rest) => {
    const folder = start === '#platform/' ? `${toPlatform.startsWith('.') ? '' : './'}${toPlatform}/` : start
    return `'${folder}${rest}.js'`
  })
}
