import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import Type from 'typebox'
import { notFound } from '#platform/errors.ts'
import type { HttpServer } from '#platform/http/http-server.ts'

/** The scripts of the pages, at addresses that change with the content. */
export type BuiltPages = {
  /** Folder of the built files. */
  dir: string
  /** Address of the script that starts the page; undefined if it has not been built. */
  script: string | undefined
  /** Addresses of what the script loads next, so that a browser can request both at once. */
  modules: readonly string[]
  /** Address of the script that forwards from earlier addresses; undefined if it has not been built. */
  forward: string | undefined
}

/** The part of a build's manifest that pages need (Vite, `build.manifest`). */
type Manifest = Record<string, { file: string; imports?: string[] }>

/** Sources by which the manifest names what was built from them. */
const [ENTRY, APP, FORWARD] = ['main.ts', 'start.tsx', 'forward.ts']
/** Below `/s/`, where no token can be `_`. */
const ASSETS_PATH = '/s/_/'
const SPECTATOR_DIR = fileURLToPath(import.meta.resolve('#project/dist/spectator'))
/** A year: a changed file gets another address. */
const FOREVER = 'public, max-age=31536000, immutable'
const FilePath = Type.Object({ '*': Type.String() })
/** A file of the build, and no other file of its folder. */
const BUILT_FILE = /^assets\/[\w-]+(?:\.[\w-]+)*$/

/** Finds the built scripts of the spectators' pages. */
export function findBuiltPages(dir = SPECTATOR_DIR): BuiltPages {
  const manifest = readManifest(dir)
  const addressOf = (name: string) => manifest[name] && ASSETS_PATH + manifest[name].file
  const next = [ENTRY, APP].flatMap((name) => [...(manifest[name]?.imports ?? []), name])
  const modules = [...new Set(next)].flatMap((name) => (name === ENTRY ? [] : (addressOf(name) ?? [])))
  return { dir, script: addressOf(ENTRY), modules, forward: addressOf(FORWARD) }
}

/** GET /s/_/assets/…: scripts, styles and pictures of the pages, compressed when they were built. */
export function serveBuiltPages(server: HttpServer, { dir }: Pick<BuiltPages, 'dir'>): void {
  void server.register(async (app: HttpServer) => {
    await app.register(fastifyStatic, { root: dir, serve: false, preCompressed: true, cacheControl: false })
    app.get(`${ASSETS_PATH}*`, { schema: { hide: true, params: FilePath } }, async ({ params }, reply) => {
      if (!BUILT_FILE.test(params['*'])) throw notFound()
      return reply.header('cache-control', FOREVER).sendFile(params['*'])
    })
  })
}

function readManifest(dir: string): Manifest {
  try {
    return JSON.parse(readFileSync(`${dir}/.vite/manifest.json`, 'utf8')) as Manifest
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw error
  }
}
