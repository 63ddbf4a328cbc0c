import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import type { Owner } from './databases.ts'
import { devtoolsOf, leavePage, takePage, type VisitorOptions } from './visited-pages.ts'

const AXE = readFileSync(fileURLToPath(new URL('../../node_modules/axe-core/axe.min.js', import.meta.url)), 'utf8')
/** Success criteria of WCAG 2.2 up to level AA, as axe tags its rules. */
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
/** The browser's message for every failed request. Tests check failed requests themselves. */
const REFUSED = /^Failed to load resource: (the server responded with a status of 4\d\d|net::ERR_INTERNET_DISCONNECTED)/

/**
 * For tests that are about a map, which the processor draws pixel by pixel: the page is small, and wide enough for what
 * stands beside the map. Other visitors have a browser without WebGL, where all of a page works but the map.
 */
export const WITH_MAP = { viewport: { width: 1024, height: 640 }, drawsMaps: true }

/**
 * All the elements that pass are many times as much text. Selectors of elements, and copies of stylesheets, which no
 * rule of these needs, take a fifth of the time.
 */
const AXE_OPTIONS = JSON.stringify({
  runOnly: RULES,
  resultTypes: ['violations'],
  selectors: false,
  preload: { assets: ['media'] },
})

const FIND_VIOLATIONS = `axe.run(document, ${AXE_OPTIONS}).then(({ violations }) =>
  ({ violations, isReader: document.getElementById('reader-bar') !== null }))`

type Violation = { id: string; impact: string; nodes: { html: string; failureSummary: string }[] }
type Findings = { violations: Violation[]; isReader: boolean }

/**
 * A visitor's browser, whether it has WebGL to draw maps, and whether it is the first visit: then nothing is in its
 * cache.
 */
export type VisitOptions = VisitorOptions & { isFirst?: boolean }

const complaints = new WeakMap<Page, string[]>()

/**
 * Opens a page for a visitor without cookies and other data, who leaves with the owner. Scripts may be in the browser's
 * cache from other visits, unless this is the first. All that the browser complains of is kept for
 * `assertSound`: errors of scripts, and what the content security policy refuses.
 */
export async function visit(owner: Owner, browser: Browser, options: VisitOptions = {}): Promise<Page> {
  const { isFirst = false, ...given } = options
  const wanted = { locale: 'en-GB', ...given }
  const page = await takePage(browser, wanted, isFirst, watch)
  complaints.set(page, [])
  owner.after(() => (owner.passed === false ? page.context().close() : leavePage(browser, page, wanted)))
  return page
}

/** Keeps what the browser complains of on a page, or in a tab that it has opened. */
function watch(page: Page): void {
  complaints.set(page, [])
  page.on('pageerror', (error) => complaints.get(page)!.push(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error' && !REFUSED.test(message.text())) complaints.get(page)!.push(message.text())
  })
}

/** Takes the connection away. For a moment after the browser has confirmed this, requests may still pass. */
export async function goOffline(page: Page): Promise<void> {
  await page.context().setOffline(true)
  const reaches = `fetch(location.origin + '/healthz', { cache: 'no-store' }).then(() => true, () => false)`
  while (await page.evaluate<boolean>(reaches)) await page.waitForTimeout(20)
}

/**
 * Waits until nothing has been animated for a moment and several frames, because a page that has no processor for that
 * moment has not begun its animations. What moves without end, or with scrolling, does not count. Says then if axe is
 * in the page.
 */
const UNTIL_STILL = `new Promise((resolve) => {
  let stillSince = performance.now()
  let frames = 0
  const look = () => {
    frames++
    const moving = document.getAnimations().some(({ playState, effect, timeline }) =>
      timeline === document.timeline && playState === 'running' && effect.getComputedTiming().endTime !== Infinity)
    if (moving) [stillSince, frames] = [performance.now(), 0]
    performance.now() - stillSince > 150 && frames > 5 ? resolve('axe' in window) : requestAnimationFrame(look)
  }
  look()
})`

/**
 * Fails if the browser reported an error, or axe finds a serious accessibility violation; on pages of the reader, also
 * if it finds a moderate one.
 */
export async function assertSound(page: Page): Promise<void> {
  // Elements that are being animated are half transparent, which would fail the contrast rules.
  if (!(await page.evaluate<boolean>(UNTIL_STILL))) await loadAxe(page)
  const { violations, isReader } = await page.evaluate<Findings>(FIND_VIOLATIONS)
  const grave = violations.filter(({ impact }) => impact !== 'minor' && (isReader || impact !== 'moderate'))
  assert.deepEqual(
    grave.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`) })),
    [],
  )
  assert.deepEqual(complaints.get(page), [])
}

/** Half a megabyte takes the processor half as much again by `evaluate`, which sends it as an argument. */
async function loadAxe(page: Page): Promise<void> {
  await (devtoolsOf(page)?.send('Runtime.evaluate', { expression: AXE }) ?? page.evaluate(AXE))
}
