import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** A file that belongs to the pages, at an address that changes with it. */
export type Asset = { name: string; contentType: string; text: string }

export type Assets = {
  style: Asset
  script: Asset
  /** Tells these files from those of any other state of them. */
  fingerprint: string
}

/** Below `/p/`, where no slug can be `_`; pages lead there by relative addresses, whatever host they are on. */
export const ASSETS_PATH = '/p/_'

/** Reads the stylesheet and the script. */
export function readAssets(): Assets {
  const style = read('public-page.css', 'text/css; charset=utf-8')
  const script = read('public-page.js', 'text/javascript; charset=utf-8')
  return { style, script, fingerprint: `${style.name} ${script.name}` }
}

function read(file: string, contentType: string): Asset {
  const text = readFileSync(new URL(file, import.meta.url), 'utf8')
  const [name, extension] = file.split('.')
  return { name: `${name}.${hash('sha256', text).slice(0, 12)}.${extension}`, contentType, text }
}
