import { hash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'

/** A file that belongs to the pages, at an address that changes with it. */
export type Asset = { name: string; contentType: string; text: string }

export type Assets = {
  style: Asset
  /** Follows the rendering of a document. */
  script: Asset
  /** Keeps the page back from those whom the reader leads to where they were. */
  returning: Asset
  /** Turns the page into the reader; undefined where it has not been built, which leaves pages as they are. */
  reader?: Asset
  /** Tells the pages that this program writes from those of another state of it, which browsers may still have. */
  fingerprint: string
}

/** Below `/p/`, where no slug can be `_`; pages lead there by relative addresses, whatever host they are on. */
export const ASSETS_PATH = '/p/_'

const FOLDER = new URL('.', import.meta.url)
const BUILT_READER = new URL('../../../dist/reader/reader.js', FOLDER)
const JAVASCRIPT = 'text/javascript; charset=utf-8'

/** Reads the stylesheet and the scripts. */
export function readAssets(builtReader = BUILT_READER): Assets {
  const sources = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(css|js|ts)$/.test(name) && !name.endsWith('.test.ts'))
    .sort()
  const reader = existsSync(builtReader) ? asset('reader.js', JAVASCRIPT, readFileSync(builtReader, 'utf8')) : undefined
  const texts = [...sources.map((name) => readSource(name)), reader?.text]
  return {
    style: asset('public-page.css', 'text/css; charset=utf-8', readSource('public-page.css')),
    script: asset('public-page.js', JAVASCRIPT, readSource('public-page.js')),
    returning: asset('returning.js', JAVASCRIPT, readSource('returning.js')),
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
