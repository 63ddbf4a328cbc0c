import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { openDashboard } from '../support/open-dashboard.ts'
import { assertSound } from '../support/visit.ts'

const dashboard = await openDashboard({ after })

describe('the dashboard', () => {
  test('uses the language of the browser, and links the guides and the API reference, in French where there are any', async (t) => {
    const guides = ['/docs/events', '/docs/app-developers', '/docs/publishing', '/docs/operating', '/docs']
    const french = ['/docs/fr/events', '/docs/app-developers', '/docs/fr/publishing', '/docs/operating', '/docs']

    for (const { locale, title, help, reference, expected } of [
      { locale: 'en-GB', title: 'Events', help: 'Help', reference: 'API reference', expected: guides },
      {
        locale: 'fr-FR',
        title: 'Événements',
        help: 'Aide',
        reference: 'Référence de l’API (en anglais)',
        expected: french,
      },
    ]) {
      const page = await dashboard.visitSignedIn(t, { locale })
      await page.goto(dashboard.at('/events'))
      await page.getByRole('heading', { name: title, level: 1 }).waitFor()
      assert.equal(await page.locator('html').getAttribute('lang'), locale.slice(0, 2))
      assert.equal(await page.title(), `${title} · Trackpress`)
      await page.getByRole('button', { name: help, exact: true }).click()
      await page.getByRole('link', { name: reference }).waitFor()
      await assertSound(page)

      const links = await page.locator('a[href^="/docs"]').all()
      const addresses = await Promise.all(links.map((link) => link.getAttribute('href')))
      assert.deepEqual(addresses, expected)
      for (const address of addresses) assert.equal((await fetch(dashboard.service.url + address)).status, 200)
    }
  })

  test('changes its colour theme, and its language, and remembers it', async (t) => {
    const page = await dashboard.visitSignedIn(t)
    await page.goto(dashboard.at('/events'))

    await page.getByRole('button', { name: 'Colour theme' }).click()
    await page.getByRole('menuitem', { name: 'Dark' }).click()
    await page.locator('html[data-mantine-color-scheme=dark]').waitFor()
    await page.getByRole('button', { name: 'Language' }).click()
    await assertSound(page)
    await page.getByRole('menuitem', { name: 'Français' }).click()
    await page.getByRole('heading', { name: 'Événements', level: 1 }).waitFor()
    await page.reload()

    await page.getByRole('heading', { name: 'Événements', level: 1 }).waitFor()
  })

  test('follows the dark scheme of the device, and is accessible in it', async (t) => {
    const page = await dashboard.visitSignedIn(t, { colorScheme: 'dark' })

    for (const path of ['/events', '/events/new', '/account', '/operators']) {
      await page.goto(dashboard.at(path))
      await page.getByRole('heading', { level: 1 }).waitFor()

      assert.equal(await page.locator('html').getAttribute('data-mantine-color-scheme'), 'dark')
      await assertSound(page)
    }
  })

  test('puts the navigation behind a button on a narrow screen, and never scrolls sideways', async (t) => {
    const page = await dashboard.visitSignedIn(t, { viewport: { width: 390, height: 844 } })
    await page.goto(dashboard.at('/events'))

    const link = page.getByRole('link', { name: 'New event' })
    const [around, words] = await Promise.all([link, link.getByText('New event')].map((one) => one.boundingBox()))
    const offCentrePx = around!.y + around!.height / 2 - words!.y - words!.height / 2
    assert.ok(Math.abs(offCentrePx) <= 1, `${offCentrePx} px`)
    await page.getByRole('button', { name: 'Open navigation' }).click()
    await page.getByRole('link', { name: 'Administration' }).click()
    await page.getByRole('link', { name: 'Operators' }).click()

    await page.getByRole('heading', { name: 'Operators', level: 1 }).waitFor()
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 390)
    await assertSound(page)
  })

  test('starts at, and links to, only the services that run', async (t) => {
    const page = await dashboard.visitSignedIn(t)
    await page.route('**/operator/settings', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...(await response.json()), services: ['publications', 'dashboard'] } })
    })

    await page.goto(dashboard.at(''))

    await page.getByRole('heading', { name: 'Workspaces', level: 1 }).waitFor()
    const links = await page.getByRole('navigation', { name: 'Main navigation' }).getByRole('link').allTextContents()
    assert.deepEqual(links, ['Workspaces', 'Administration'])
    await page.goto(dashboard.at('/events'))
    await page.getByRole('heading', { name: 'Not found' }).waitFor()
  })

  test('lets the keyboard skip the navigation, and focuses the heading of a new page', async (t) => {
    const page = await dashboard.visitSignedIn(t)
    await page.goto(dashboard.at('/events'))
    await page.getByRole('heading', { name: 'Events', level: 1 }).waitFor()

    await page.keyboard.press('Tab')
    assert.equal(await page.locator(':focus').textContent(), 'Skip to main content')
    await page.getByRole('link', { name: 'Administration' }).click()
    await page.getByRole('heading', { name: 'Map', level: 1 }).waitFor()

    assert.equal(await page.locator(':focus').textContent(), 'Map')
  })

  test('shows that the server does not respond, and continues once it does', async (t) => {
    const page = await dashboard.visitSignedIn(t)
    await page.goto(dashboard.at('/operators'))
    await page.getByRole('cell', { name: 'operator' }).first().waitFor()

    await page.route('**/operator/**', (route) => route.fulfill({ status: 502, body: '' }))
    await page.getByRole('button', { name: 'New operator' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Camille')
    await page.getByRole('button', { name: 'Add operator' }).click()
    await page.getByRole('alert').getByText('The server is not responding').waitFor()
    await page.unroute('**/operator/**')
    await page.getByRole('button', { name: 'Add operator' }).click()

    await page.getByRole('heading', { name: 'Sign-in link for Camille' }).waitFor()
  })
})

describe('a page of the dashboard', async () => {
  const { workspaceId } = dashboard.service
  const page = await dashboard.visitSignedIn({ after })
  const unknown = '0b51a2de-6f0c-4f2b-9f0e-5f6c8d1e2a77'

  test('says that what does not exist is not found', async () => {
    for (const path of [
      `/events/${unknown}/tracks`,
      `/publications/${unknown}`,
      `/workspaces/${unknown}`,
      `/settings/erasures/${unknown}`,
    ]) {
      await page.goto(dashboard.at(path))
      await page.getByRole('heading', { name: 'Not found' }).waitFor()
    }
    await assertSound(page)
  })

  for (const [path, asked, loaded] of [
    ['/audit', '**/operator/audit?*', page.getByRole('table', { name: 'Audit log' })],
    ['/jobs', '**/operator/jobs', page.getByRole('table', { name: 'Background jobs' })],
    ['/settings/erasures', '**/operator/erasures', page.getByRole('heading', { name: 'Nothing has been erased' })],
    ['/workspaces', '**/operator/workspaces', page.getByRole('link', { name: 'Default' }).first()],
    [`/workspaces/${workspaceId}`, '**/publications?*', page.getByRole('heading', { name: 'No publications yet' })],
  ] as const)
    test(`shows that ${path.replace(workspaceId, '…')} could not be loaded, and loads on a retry`, async (t) => {
      const problem = { status: 403, code: 'FORBIDDEN', detail: 'for developers' }
      // Once the stream is open, lists are fetched again by themselves, which is not what this is about.
      await page.route('**/live', () => undefined)
      await page.route(asked, (route) => route.fulfill({ status: 403, json: problem }))
      t.after(() => page.unrouteAll({ behavior: 'ignoreErrors' }))
      await page.goto(dashboard.at(path))
      await page.getByText('This action is not allowed').waitFor()
      if (path === '/workspaces') await assertSound(page)

      await page.unroute(asked)
      await page.getByRole('button', { name: 'Try again' }).click()

      await loaded.waitFor()
    })
})

describe('forced colours', () => {
  test('show which tab and which section is the current one', async (t) => {
    const page = await dashboard.visitSignedIn(t, { forcedColors: 'active' })
    await page.goto(dashboard.at(`/events/${dashboard.service.eventId}/settings/developers`))
    await page.getByRole('button', { name: 'New token' }).waitFor()
    const style = async (name: string, property: string) =>
      await page
        .getByRole('navigation')
        .getByRole('link', { name, exact: true })
        .evaluate(
          (link, wanted) => link.ownerDocument.defaultView!.getComputedStyle(link).getPropertyValue(wanted),
          property,
        )

    const [developers, general] = await Promise.all(
      ['Developers', 'General'].map((name) => style(name, 'border-bottom-color')),
    )
    const outlines = await Promise.all(
      ['Settings', 'Events', 'Tracks', 'Share', 'Workspaces'].map((name) => style(name, 'outline-style')),
    )

    assert.notEqual(developers, general)
    assert.deepEqual(outlines, ['solid', 'solid', 'none', 'none', 'none'])
  })
})

/** Returns the words below an element that stand on two lines. */
const BROKEN_WORDS = `(element) => {
  const found = []
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
    for (const { 0: word, index } of text.data.matchAll(/[\\p{L}\\d]+/gu)) {
      const range = document.createRange()
      range.setStart(text, index)
      range.setEnd(text, index + word.length)
      if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) found.push(word)
    }
  }
  return found
}`

const BROKEN_ON_PHONES = `[...document.querySelectorAll('td')].flatMap(${BROKEN_WORDS})
  .concat(document.documentElement.scrollWidth > innerWidth ? ['The page is too wide'] : [])`

/** The codes and headings of sections that stand closer than 12 px to what is beside them. */
const NARROW_GAPS = `[...document.querySelectorAll('main > pre, main > h3')]
  .filter((element) => {
    const [before, after] = element.matches('pre')
      ? [element, element.nextElementSibling]
      : [element.previousElementSibling, element]
    return after !== null && after.getBoundingClientRect().top - before.getBoundingClientRect().bottom < 12
  })
  .map((element) => element.textContent)`

test('the places of an event fit into a laptop’s window, and words of tables stay whole, in French', async (t) => {
  const page = await dashboard.visitSignedIn(t, { locale: 'fr-FR' })
  await page.goto(dashboard.at('/events'))
  await page.getByRole('link', { name: 'Default' }).first().click()
  await page.getByRole('navigation').getByRole('link', { name: 'Paramètres', exact: true }).waitFor()

  const tops = await page.evaluate<number[]>(`[...document.querySelectorAll('.event-heading nav a')]
    .map((link) => link.getBoundingClientRect())
    .map(({ top, right }) => right <= innerWidth ? Math.round(top) : right)`)

  assert.equal(tops.length, 6)
  assert.equal(new Set(tops).size, 1)
  await page.goto(dashboard.at('/operators'))
  await page.getByText('Propriétaire').first().waitFor()
  assert.deepEqual(await page.evaluate(`(${BROKEN_WORDS})(document.querySelector('table'))`), [])
})

test('a guide leaves room around its code and above its sections, and keeps words of tables whole', async (t) => {
  const page = await dashboard.visit(t)
  const broken: Record<string, string[]> = {}
  const guides = [
    'publishing',
    'operating',
    'running',
    'alerts',
    'backup',
    'operators',
    'admin-command',
    'configuration',
  ]
  for (const guide of guides) {
    await page.goto(`${dashboard.service.url}/docs/${guide}`)
    broken[guide] = await page.evaluate(`(${BROKEN_WORDS})(document.querySelector('main'))`)
    if (guide === 'operating') assert.deepEqual(await page.evaluate(NARROW_GAPS), [])
    // On a phone a table scrolls rather than break words, and the page itself does not.
    await page.setViewportSize({ width: 390, height: 900 })
    broken[guide].push(...(await page.evaluate<string[]>(BROKEN_ON_PHONES)))
    await page.setViewportSize({ width: 1280, height: 900 })
  }

  assert.deepEqual(broken, Object.fromEntries(guides.map((guide) => [guide, []])))
})
