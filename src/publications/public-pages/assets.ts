import { hash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import Type from 'typebox'
import { notFound } from '#platform/basics/errors.ts'
import { FOREVER, type HttpServer } from '#platform/http/http-server.ts'
import { accentProblem, accentStyle } from '../model/face-fields.ts'

/** A stylesheet or script of the pages, at an address that changes with its content. */
type Asset = { name: string; contentType: string; text: string }

export type Assets = {
  style: Asset
  /** Shows the progress while a document is rendered. */
  script: Asset
  /**
   * Runs before the first paint: orders the first images, and hides the page of a
   * returning reader until it is at its place.
   */
  firstPaint: Asset
  /** Turns the page into the reader; undefined if it has not been built. */
  reader?: Asset
  /** Identifies the state of the program that writes the pages, so that cached pages of another state are replaced. */
  fingerprint: string
}

/** Below `/p/`, where no slug can be `_`. Pages use relative addresses to it, which work on any host. */
export const ASSETS_PATH = '/p/_'

const FOLDER = new URL('.', import.meta.url)
const PAGE_KIT = new URL('../../platform/pages/html.ts', import.meta.url)
const BUILT_READER = new URL(import.meta.resolve('#project/dist/reader/reader.js'))
const CSS = 'text/css; charset=utf-8'
const JAVASCRIPT = 'text/javascript; charset=utf-8'

/** The reader for folders, in one script that is no module. */
const BUILT_OFFLINE_READER = new URL(import.meta.resolve('#project/dist/offline/offline.js'))

/** Returns the script of the reader for folders; undefined if it has not been built. */
export function readOfflineReader(): string | undefined {
  return existsSync(BUILT_OFFLINE_READER) ? readFileSync(BUILT_OFFLINE_READER, 'utf8') : undefined
}

/** Reads the stylesheet and the scripts. */
export function readAssets(builtReader = BUILT_READER): Assets {
  const sources = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(css|js|ts)$/.test(name) && !name.endsWith('.test.ts'))
    .sort()
  const reader = existsSync(builtReader) ? asset('reader.js', JAVASCRIPT, readFileSync(builtReader, 'utf8')) : undefined
  const texts = [...sources.map((name) => readSource(name)), readFileSync(PAGE_KIT, 'utf8'), reader?.text]
  return {
    style: asset('public-page.css', CSS, readSource('public-page.css')),
    script: asset('rendering-progress.js', JAVASCRIPT, readSource('rendering-progress.js')),
    firstPaint: asset('first-paint.js', JAVASCRIPT, readSource('first-paint.js')),
    ...(reader && { reader }),
    fingerprint: hash('sha256', texts.join('\n')),
  }
}

function readSource(name: string): string {
  return readFileSync(new URL(name, FOLDER), 'utf8')
}

function asset(file: string, contentType: string, text: string): Asset {
  const [name, extension] = file.split('.')
  return { name: `${name}.${hash('sha256', text).slice(0, 12)}.${extension}`, contentType, text }
}

const AccentParams = Type.Object({ file: Type.String() })

/** GET /p/_/…: the stylesheet and the scripts of public pages, and the stylesheets of accent colours. */
export function getPageAssets(app: HttpServer, { style, script, firstPaint, reader }: Assets) {
  for (const { name, contentType, text } of [style, script, firstPaint, ...(reader ? [reader] : [])]) {
    app.get(`${ASSETS_PATH}/${name}`, { schema: { hide: true } }, async (_request, reply) =>
      reply.type(contentType).header('cache-control', FOREVER).send(text),
    )
  }
  app.get(
    `${ASSETS_PATH}/accent/:file`,
    { schema: { hide: true, params: AccentParams } },
    async ({ params }, reply) => {
      const color = `#${/^([0-9a-f]{6})\.css$/.exec(params.file)?.[1]}`
      if (accentProblem(color) !== undefined) throw notFound()
      return reply.type(CSS).header('cache-control', FOREVER).send(accentStyle(color))
    },
  )
}
