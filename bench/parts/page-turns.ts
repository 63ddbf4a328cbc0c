import { basename } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { openMeasuredBrowser } from '../../test/support/open-browser.ts'
import { publishPdf, untilReadable } from '../load/publish-pdf.ts'
import { untilQuiet } from '../program/until-quiet.ts'
import { type Figure, median } from '../report/figure.ts'
import type { Part } from './part.ts'

/** The screen of a phone, and how much slower its processor is. */
const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true }
const SLOWER = 4
const TURNS = 40
const LOADED_WITHIN_MS = 120_000
const FETCHED_WITHIN_MS = 10_000
const QUIET_MS = 1_500
const QUIET_WITHIN_MS = 20_000

/**
 * Notes the time from a key to the frame with the picture of the next page: it is shown, loaded and decoded, and a
 * message that is sent in the next frame arrives once that has been handed to the screen.
 */
const MEASURE_TURNS = `addEventListener('keydown', (event) => {
  if (event.key !== 'ArrowRight') return
  const shown = () => document.querySelector('.page.shown')
  const before = shown()
  window.turnMs = undefined
  window.turnKey = event
  const look = () => requestAnimationFrame(async () => {
    if (window.turnKey !== event) return
    const image = shown()?.querySelector('picture img')
    if (shown() === before || !image?.complete || image.naturalWidth === 0) return look()
    // An image that is replaced by a larger one at this moment does not decode.
    if (!(await image.decode().then(() => true, () => false))) return look()
    requestAnimationFrame(() => {
      const channel = new MessageChannel()
      channel.port1.onmessage = () => (window.turnMs = performance.now() - event.timeStamp)
      channel.port2.postMessage(0)
    })
  })
  look()
}, true)`

/** Turning a page of a document whose next page has been fetched, on the screen of a phone. */
export const pageTurns: Part = {
  name: 'page-turns',
  title: 'Turning a page on a phone',
  engines: 'SQLite',
  async *measure({ engine, pdfs }) {
    const leaving: (() => unknown)[] = []
    const browser = await openMeasuredBrowser({ after: (leave) => void leaving.push(leave) })
    for (const pdf of pdfs) {
      const server = await engine.start()
      const { slug } = await publishPdf(server, pdf)
      await untilReadable(server, slug)
      await untilQuiet(server.pid, QUIET_MS, QUIET_WITHIN_MS)
      const context = await browser.newContext(PHONE)
      const page = await context.newPage()
      await page.addInitScript(MEASURE_TURNS)
      const session = await context.newCDPSession(page)
      await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
      await page.goto(`${server.url}/p/${slug}`)
      await page.getByRole('toolbar').waitFor({ timeout: LOADED_WITHIN_MS })
      // One page at a time.
      await page.keyboard.press('v')
      await page.locator('.page.shown').waitFor({ timeout: LOADED_WITHIN_MS })
      const times: number[] = []
      while (times.length < TURNS && (await isNextFetched(page))) times.push(await turn(page))
      await context.close()
      await server.stop()
      yield [turnFigure(basename(pdf), times)]
    }
    for (const leave of leaving) await leave()
  },
}

/** Waits until the next page is there; false on the last one, and for one that does not come. */
async function isNextFetched(page: Page): Promise<boolean> {
  for (const untilMs = performance.now() + FETCHED_WITHIN_MS; performance.now() < untilMs; ) {
    const found = await page.evaluate<boolean | undefined>(`(() => {
      const next = [...document.querySelectorAll('.page.shown')].at(-1).nextElementSibling
      if (!next?.matches('.page')) return undefined
      const image = next.querySelector('picture img')
      return image.complete && image.naturalWidth > 0
    })()`)
    if (found !== false) return found === true
    await wait(50)
  }
  return false
}

/** Turns a page. @throws Error if its picture does not come */
async function turn(page: Page): Promise<number> {
  await page.keyboard.press('ArrowRight')
  for (const untilMs = performance.now() + FETCHED_WITHIN_MS; performance.now() < untilMs; ) {
    const ms = await page.evaluate<number | undefined>('window.turnMs')
    if (ms !== undefined) return ms
    await wait(20)
  }
  throw new Error('The next page has not come')
}

function turnFigure(name: string, times: readonly number[]): Figure {
  const sorted = times.toSorted((a, b) => a - b)
  return {
    what: `${name}: from a key to the picture of the next page, on a processor ${SLOWER}x slower`,
    value: median(times),
    unit: 'ms',
    goal: { atMost: 100 },
    beside: `${times.length} turns, 95 % within ${sorted[Math.floor(0.95 * times.length)].toFixed(0)} ms`,
  }
}
