import { hash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'

/** A file that belongs to the pages, at an address that changes with it. */
export type Asset = { name: string; contentType: string; text: string }

export type Assets = {
  style: Asset
  script: Asset
  /** Tells the pages that this program writes from those of another state of it, which browsers may still have. */
  fingerprint: string
}

/** Below `/p/`, where no slug can be `_`; pages lead there by relative addresses, whatever host they are on. */
export const ASSETS_PATH = '/p/_'

const FOLDER = new URL('.', import.meta.url)

/** Reads the stylesheet and the script. */
export function readAssets(): Assets {
  const sources = readdirSync(FOLDER).filter((name) => !name.endsWith('.test.ts'))
  return {
    style: read('public-page.css', 'text/css; charset=utf-8'),
    script: read('public-page.js', 'text/javascript; charset=utf-8'),
    fingerprint: hash('sha256', sources.map((name) => readFileSync(new URL(name, FOLDER), 'utf8')).join('\n')),
  }
}

function read(file: string, contentType: string): Asset {
  const text = readFileSync(new URL(file, FOLDER), 'utf8')
  const [name, extension] = file.split('.')
  return { name: `${name}.${hash('sha256', text).slice(0, 12)}.${extension}`, contentType, text }
}
