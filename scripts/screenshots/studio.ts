import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import sharp from 'sharp'
import type { Send } from './castle-race.ts'

/** A picture to take of a page, once its content is complete. */
export type Scene = {
  /** File name without extension. */
  name: string
  path: string
  isDark?: boolean
  isPhone?: boolean
  heightPx?: number
  /** Prepares the page and waits for the content of the picture. */
  pose(page: Page): Promise<void>
}

export type Studio = {
  /** Sends a request as the signed-in operator. */
  send: Send
  /** Takes a picture and returns its size in kB. */
  take(scene: Scene): Promise<number>
}

const FOLDER = fileURLToPath(new URL('../../docs/screenshots/', import.meta.url))
const WIDE = { width: 1280, height: 800 }
const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 1.5, isMobile: true, hasTouch: true }
const SETTLED_MS = 2500
const WAIT_MS = 40_000
const SEND_WITHIN_MS = 120_000

/** Signs in with the link's token. Each picture is then taken in its own window. */
export async function openStudio(browser: Browser, url: string, linkToken: string): Promise<Studio> {
  const context = await browser.newContext()
  const data = { token: linkToken, password: 'a quiet lake at dawn' }
  const signedIn = await context.request.post(`${url}/operator/sign-in-link`, { data, headers: { Origin: url } })
  if (!signedIn.ok()) throw new Error(`Signing in was refused: ${await signedIn.text()}`)
  const storageState = await context.storageState()
  mkdirSync(FOLDER, { recursive: true })

  return {
    async send(method, path, body, contentType = 'application/json') {
      const isRaw = body === undefined || typeof body === 'string' || Buffer.isBuffer(body)
      const data = isRaw ? body : JSON.stringify(body)
      const headers = { Origin: url, ...(body === undefined ? {} : { 'Content-Type': contentType }) }
      const response = await context.request.fetch(url + path, { method, data, headers, timeout: SEND_WITHIN_MS })
      const text = await response.text()
      if (!response.ok()) throw new Error(`${method} ${path} was answered with ${response.status()}: ${text}`)
      return text === '' ? undefined : JSON.parse(text)
    },

    async take({ name, path, isDark = false, isPhone = false, heightPx = WIDE.height, pose }) {
      const wide = { viewport: { ...WIDE, height: heightPx } }
      const options = { ...(isPhone ? PHONE : wide), colorScheme: isDark ? 'dark' : 'light', locale: 'en-GB' } as const
      const window = await browser.newContext({ ...options, storageState, timezoneId: 'Europe/Vaduz' })
      window.setDefaultTimeout(WAIT_MS)
      try {
        const page = await window.newPage()
        await page.goto(new URL(path, url).href)
        await pose(page)
        await page.waitForTimeout(SETTLED_MS)
        return await keep(await page.screenshot({ animations: 'disabled' }), name)
      } finally {
        await window.close()
      }
    },
  }
}

/** Reduces the number of colours, which makes pictures of pages small without a visible loss. */
async function keep(picture: Buffer, name: string): Promise<number> {
  const { size } = await sharp(picture)
    .png({ palette: true, quality: 90, effort: 10, compressionLevel: 9 })
    .toFile(join(FOLDER, `${name}.png`))
  return Math.round(size / 1000)
}
