import { hash as hashOf } from 'node:crypto'
import { globSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import apiReference from '@scalar/fastify-api-reference'
import fastify from 'fastify'
import { build, type UserConfig } from 'vite'
import { dashboardConfig, offlineReaderConfig, readerConfig, spectatorConfig } from './vite.config.ts'
import { builtMark, hashOfWebSources } from './web-sources.mjs'

// Builds the pages that run in a browser: the dashboard into dist/dashboard, the scripts of the spectators' pages and
// of the public reader into dist/spectator, dist/reader and dist/offline, and the API reference into dist/reference.
// Each is built in a folder of its own and then moved into place, so that a running server never sees half of it.

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const at = (...parts: string[]) => join(ROOT, ...parts)
const UNFINISHED = at('dist', '.unfinished')
/**
 * Quality of compression. Level 10 takes six times as long as 9 and saves 6 %; level 11 twice as long again and saves
 * 2 % more, which spectators on a slow line notice.
 */
const QUALITY = { dashboard: 10, spectator: 11, reader: 9, offline: 9 }
const compressed = promisify(brotliCompress)
const PRODUCTION = { command: 'build', mode: 'production' } as const

await import('./generate-client.ts')

// The mark tells the set-up that nothing is left to build; a build that fails leaves none.
const hash = hashOfWebSources()
rmSync(builtMark, { force: true })
rmSync(UNFINISHED, { recursive: true, force: true })
await buildPages('dashboard', await dashboardConfig(PRODUCTION))
await buildPages('spectator', spectatorConfig)
await buildPages('reader', readerConfig)
await buildPages('offline', offlineReaderConfig)
await buildReference()
rmSync(UNFINISHED, { recursive: true, force: true })
writeFileSync(builtMark, hash)

async function buildPages(name: keyof typeof QUALITY, config: UserConfig): Promise<void> {
  const outDir = join(UNFINISHED, name)
  await build({ ...config, configFile: false, mode: PRODUCTION.mode, build: { ...config.build, outDir } })
  await compressFiles(join(outDir, 'assets'), QUALITY[name])
  moveIntoPlace(outDir, at('dist', name))
}

/** Takes the program of the API reference from its package, which is for development only and has it as a route. */
async function buildReference(): Promise<void> {
  const app = fastify()
  await app.register(apiReference, { routePrefix: '/reference', configuration: { content: '{}' } })
  const { statusCode, body } = await app.inject('/reference/js/scalar.js')
  await app.close()
  if (statusCode !== 200) throw new Error(`The package of the API reference answered ${statusCode}`)
  const outDir = join(UNFINISHED, 'reference')
  mkdirSync(outDir, { recursive: true })
  writeFileSync(join(outDir, `scalar.${hashOf('sha256', body).slice(0, 12)}.js`), body)
  await compressFiles(outDir)
  moveIntoPlace(outDir, at('dist', 'reference'))
}

/** Adds a compressed copy of each file, which the server sends as it is. All cores compress. */
async function compressFiles(folder: string, quality = 9): Promise<void> {
  const params = { [constants.BROTLI_PARAM_QUALITY]: quality }
  const compress = async (name: string) => {
    const file = join(folder, name)
    await writeFile(`${file}.br`, await compressed(await readFile(file), { params }))
  }
  await Promise.all(globSync('*.{js,mjs,css,json,svg}', { cwd: folder }).map(compress))
}

function moveIntoPlace(built: string, place: string): void {
  mkdirSync(at('dist'), { recursive: true })
  rmSync(place, { recursive: true, force: true })
  renameSync(built, place)
}
