import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { openDashboard } from '../support/open-dashboard.ts'
import type { VisitOptions } from '../support/visit.ts'

const dashboard = await openDashboard({ after })
const LEAVES = `(async () => {
  document.cookie = 'left=1'
  localStorage.setItem('left', '1')
  sessionStorage.setItem('left', '1')
  await caches.open('left')
  globalThis.left = 1
  await new Promise((resolve) => { indexedDB.open('left').onsuccess = resolve })
})()`
const FINDS = `(async () => [
  document.cookie,
  ...Object.keys(localStorage),
  ...Object.keys(sessionStorage),
  ...(await caches.keys()),
  ...(await indexedDB.databases()),
  ...('left' in globalThis ? ['a variable'] : []),
  ...['print', '(max-width: 400px)', '(prefers-color-scheme: dark)'].filter((media) => matchMedia(media).matches),
])()`

type Change = (page: Page) => Promise<unknown>

const CHANGES: Record<string, Change> = {
  'runs a script in every document': (page) => page.addInitScript('globalThis.left = 1'),
  'may know the place': (page) => page.context().grantPermissions(['geolocation']),
  'is slowed down by a debugger': (page) => page.context().newCDPSession(page),
}

/** Opens a page as an operator who leaves after `act`. @returns the page */
async function leaveAfter(act: Change, options: VisitOptions = {}, passed?: boolean): Promise<Page> {
  const leaving: (() => Promise<void> | void)[] = []
  const page = await dashboard.visitSignedIn({ after: (leave) => leaving.push(leave), passed }, options)
  await page.goto(`${dashboard.service.url}/healthz`)
  await act(page)
  for (const leave of leaving) await leave()
  return page
}

describe('a visitor in a page that another one has left', () => {
  test('finds nothing of that visit', async () => {
    const before = await leaveAfter(async (page) => {
      await page.goto(dashboard.at('/'))
      await page.evaluate(LEAVES)
      await page.route('**/operator/settings', (route) => route.abort())
      await page.context().setOffline(true)
      await page.setViewportSize({ width: 390, height: 844 })
      await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    })

    const after = await leaveAfter(async (page) => {
      await page.goto(dashboard.at('/'))
      await page.getByRole('heading', { name: 'Events', level: 1 }).waitFor()
      assert.deepEqual(await page.evaluate(FINDS), [''])
      assert.equal(await page.evaluate(`fetch('/operator/settings').then(({ status }) => status)`), 200)
    })

    assert.equal(after, before)
  })

  for (const [what, change] of Object.entries(CHANGES)) {
    test(`gets another page if that one ${what}`, async () => {
      const before = await leaveAfter(change)

      assert.notEqual(await leaveAfter(async () => {}), before)
    })
  }

  test('has the window and the colours of its own browser', async () => {
    const before = await leaveAfter(async () => {})
    const found: unknown[] = []

    const after = await leaveAfter(async (page) => void found.push(...(await page.evaluate<string[]>(FINDS))), {
      viewport: { width: 390, height: 844 },
      colorScheme: 'dark',
    })

    assert.equal(after, before)
    assert.deepEqual(found, ['', '(max-width: 400px)', '(prefers-color-scheme: dark)'])
  })

  test('gets another page after a failed test, for other settings, and for a first visit', async () => {
    const nothing = async () => {}
    const failed = await leaveAfter(nothing, {}, false)
    const left = await leaveAfter(nothing)
    const french = await leaveAfter(nothing, { locale: 'fr-FR' })
    const first = await leaveAfter(nothing, { isFirst: true })

    assert.equal(new Set([failed, left, french, first]).size, 4)
  })
})
