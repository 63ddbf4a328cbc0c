import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import type { Owner } from './databases.ts'

const AXE = readFileSync(fileURLToPath(new URL('../../node_modules/axe-core/axe.min.js', import.meta.url)), 'utf8')
/** Success criteria of WCAG 2.2 up to level AA, as axe tags its rules. */
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
/** The browser's message for every failed request. Tests check failed requests themselves. */
const REFUSED = /^Failed to load resource: (the server responded with a status of 4\d\d|net::ERR_INTERNET_DISCONNECTED)/

type Violation = { id: string; impact: string; nodes: { html: string; failureSummary: string }[] }

const complaints = new WeakMap<Page, string[]>()

/**
 * Opens a page for a new visitor without history; the owner closes it. All that the browser complains
 * of is kept for `assertSound`: errors of scripts, and what the content security policy refuses.
 */
export async function visit(owner: Owner, browser: Browser, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 1280, height: 900 }, ...options })
  owner.after(() => context.close())
  context.on('page', watch)
  return await context.newPage()
}

/** Keeps what the browser complains of on a page, or in a tab that it has opened. */
function watch(page: Page): void {
  const found: string[] = []
  complaints.set(page, found)
  page.on('pageerror', (error) => found.push(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error' && !REFUSED.test(message.text())) found.push(message.text())
  })
}

/** Waits until nothing has been animated for a moment; what moves without end does not count. */
const UNTIL_STILL = `new Promise((resolve) => {
  let stillSince = performance.now()
  const look = () => {
    const moving = document.getAnimations().some(({ playState, effect }) =>
      playState === 'running' && effect.getComputedTiming().endTime !== Infinity)
    if (moving) stillSince = performance.now()
    performance.now() - stillSince > 150 ? resolve() : setTimeout(look, 30)
  }
  look()
})`

/** Fails if the browser reported an error, or axe finds a serious accessibility violation. */
export async function assertSound(page: Page): Promise<void> {
  // Elements that are being animated are half transparent, which would fail the contrast rules.
  await page.evaluate(UNTIL_STILL)
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(AXE)
  // All the elements that pass are many times as much text.
  const options = JSON.stringify({ runOnly: RULES, resultTypes: ['violations'] })
  const violations = await page.evaluate<Violation[]>(`axe.run(document, ${options}).then((found) => found.violations)`)
  const grave = violations.filter(({ impact }) => ['serious', 'critical'].includes(impact))
  assert.deepEqual(
    grave.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`) })),
    [],
  )
  assert.deepEqual(complaints.get(page), [])
}
