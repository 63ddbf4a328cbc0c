import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { builtReader, madeBook, openReader, untilTrue } from '../support/open-reader.ts'
import { storePages } from '../support/public-pages.ts'
import { visit } from '../support/visit.ts'

/** The limit for script and stylesheet together, compressed. */
const BUDGET_BYTES = 60_000

const WATCH_SHIFTS = `window.shifts = []
new PerformanceObserver((list) => {
  for (const { value, sources } of list.getEntries()) shifts.push([value, ...sources.map(({ node }) => node?.outerHTML?.slice(0, 80))])
}).observe({ type: 'layout-shift', buffered: true })`

/** On a machine that stalls, the time may pass after which images are loaded in any order. */
const WITHOUT_LATE_TIMERS = `const { setTimeout: later } = window
window.setTimeout = (run, ms, ...rest) => ms > 5_000 ? 0 : later(run, ms, ...rest)`

const TEN_FRAMES = `new Promise((resolve) => {
  const wait = (frames) => frames === 0 ? resolve() : requestAnimationFrame(() => wait(frames - 1))
  wait(10)
})`

describe('the reader on a slow network and a small device', async () => {
  const reader = await openReader({ after })
  const book = await reader.book(12)

  test('keeps script and stylesheet within the budget', () => {
    const style = new URL('../../src/publications/public-pages/public-page.css', import.meta.url)

    const sizes = [builtReader, style].map((file) => gzipSync(readFileSync(file)).length)

    assert.ok(sizes[0] + sizes[1] < BUDGET_BYTES, `${sizes}`)
  })

  test('starts without a layout shift, and most of the screen shows the page', async (t) => {
    const page = await visit(t, reader.browser, { isFirst: true })
    await page.addInitScript(WATCH_SHIFTS)
    // Each is a first visit, and has no place to come back to.
    await page.addInitScript('localStorage.clear()')
    let paint = ''
    await page.route(/reader\.[\da-f]+\.js$/, async (route) => {
      await untilTrue(page, `performance.getEntriesByName("${paint}").length > 0`)
      await route.continue()
    })
    for (const viewport of [
      { width: 1280, height: 900 },
      { width: 390, height: 844 },
      { width: 844, height: 390 },
    ]) {
      await page.setViewportSize(viewport)
      for (const path of [book, `${book}/embed`]) {
        // The script arrives after the first paint. A frame begins with one page, which is hidden until then.
        paint = path === book ? 'first-contentful-paint' : 'first-paint'
        await page.goto('about:blank')
        await page.goto(reader.service.url + path)
        await page.getByRole('toolbar').waitFor()
        await page.locator('#page-1 .words').waitFor({ state: 'attached' })

        assert.deepEqual(await page.evaluate('shifts'), [])
        const sheet = (await page.locator('#page-1 .sheet').boundingBox())!
        const shown = Math.min(viewport.height, sheet.y + sheet.height) - sheet.y
        assert.ok(shown > viewport.height / 2, `${shown} of ${viewport.height} px of ${path}`)
      }
    }
  })

  test('starts without a layout shift at the page of the last visit, in every view', async (t) => {
    const page = await visit(t, reader.browser, { isFirst: true })
    await page.addInitScript(WATCH_SHIFTS)
    await page.route(/reader\.[\da-f]+\.js$/, async (route) => {
      await untilTrue(page, 'performance.getEntriesByName("first-paint").length > 0')
      await route.continue()
    })
    for (const view of ['scroll', 'single', 'spread']) {
      await page.addInitScript((saved) => localStorage.setItem(...saved), [
        book.replace('/p', 'reader'),
        JSON.stringify({ page: 8, view }),
      ] as [string, string])
      await page.goto('about:blank')

      await page.goto(reader.service.url + book)
      await page.locator('#page-8 .words').waitFor()

      assert.deepEqual(await page.evaluate('shifts'), [])
      assert.equal(await page.locator('html.returning').count(), 0)
    }
  })

  test('requests the first page image before its script, and few others at first', async (t) => {
    const page = await visit(t, reader.browser, { isFirst: true })
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))

    await page.goto(reader.service.url + book, { waitUntil: 'networkidle' })
    await page.locator('#page-1 .words').waitFor({ state: 'attached' })

    const first = (pattern: RegExp) => asked.findIndex((url) => pattern.test(url))
    assert.ok(first(/\/images\//) < first(/\/reader\./), asked.join('\n'))
    assert.ok(asked.length <= 15, asked.join('\n'))
  })

  test('loads the image of the page on the screen before that of the next one', async (t) => {
    const page = await visit(t, reader.browser, { isFirst: true, viewport: { width: 390, height: 844 } })
    const order: string[] = []
    let isHeld = true
    await page.route(/\/images\//, async (route) => {
      const number = /\/images\/[^/]+\/\d+-(\d+)-/.exec(route.request().url())![1]
      order.push(`asked ${number}`)
      while (number === '1' && isHeld) await page.waitForTimeout(50)
      order.push(`answered ${number}`)
      await route.continue()
    })
    await page.goto(reader.service.url + book, { waitUntil: 'domcontentloaded' })
    await page.getByRole('toolbar').waitFor()
    await page.waitForTimeout(500)
    isHeld = false
    await untilTrue(page, `document.querySelector('#page-2 picture img').naturalWidth > 0`)

    assert.deepEqual(order.slice(0, 3), ['asked 1', 'answered 1', 'asked 2'])
  })

  test('fetches one large image of each page that is looked at on a fine screen, and none of another', async (t) => {
    const page = await visit(t, reader.browser, { isFirst: true, deviceScaleFactor: 2 })
    const asked: string[] = []
    page.on('request', (request) => {
      const [, number, width] = /\/images\/[^/]+\/\d+-(\d+)-.*\/(\d+)\.(?:webp|jpg)$/.exec(request.url()) ?? []
      if (number !== undefined) asked.push(`${number} at ${width}`)
    })

    await page.goto(reader.service.url + book)
    await page.locator('#page-1 .sharp.ready').waitFor()
    await page.locator('#page-8').scrollIntoViewIfNeeded()
    await page.locator('#page-8 .sharp.ready').waitFor()
    await page.evaluate(TEN_FRAMES)

    const large = asked.filter((image) => !image.endsWith(' at 600'))
    assert.deepEqual(new Set(large).size, large.length)
    assert.ok(
      large.every((image) => /^(1|7|8|9) at 2400$/.test(image)),
      `${asked}`,
    )
    assert.ok(asked.includes('1 at 600') && asked.includes('8 at 600'), `${asked}`)
  })

  test('fetches only the large image of a page that is reached enlarged', async (t) => {
    const page = await visit(t, reader.browser, { isFirst: true })
    await page.goto(reader.service.url + book)
    await page.getByRole('toolbar').waitFor()

    for (let step = 0; step < 3; step++) await page.keyboard.press('+')
    const asked: string[] = []
    page.on('request', (request) => asked.push(/\/\d+-9-.*\/(\d+)\.webp$/.exec(request.url())?.[1] ?? ''))
    await page.locator('#page-9').scrollIntoViewIfNeeded()
    await page.locator('#page-9 .sharp.ready').waitFor()

    assert.deepEqual(new Set(asked.filter((width) => width !== '')), new Set(['600', '2400']))
  })

  test('shows the image of a page on the screen while that of another one is loading', async (t) => {
    const page = await reader.read(t, book, { isFirst: true, viewport: { width: 1280, height: 1600 } })
    const held = Promise.withResolvers<void>()
    await page.route(/\/\d+-12-[^/]+\/\d+\.webp$/, async (route) => {
      await held.promise
      await route.continue()
    })

    await page.keyboard.press('End')
    await page.locator('html.visible-first').waitFor({ state: 'attached' })

    await untilTrue(page, `document.querySelector('#page-11 picture img').naturalWidth > 0`)
    await page.locator('html.visible-first #page-11 picture img').waitFor()
    held.resolve()
    await untilTrue(page, `document.querySelector('#page-12 picture img').naturalWidth > 0`)
  })

  test('leaves the page complete without scripts', async (t) => {
    const page = await visit(t, reader.browser, { javaScriptEnabled: false })

    await page.goto(reader.service.url + book)

    assert.equal(await page.getByRole('heading', { name: /^Page \d/ }).count(), 12)
    assert.equal(await page.getByRole('toolbar').count(), 0)
    const bar = await page.locator('#reader-bar').boundingBox()
    assert.equal(bar, null)
  })
})

describe('a document of thousands of pages', async () => {
  const reader = await openReader({ after })
  const pages = Array.from({ length: 1_200 }, (_, at) => ({
    text: at === 1_099 ? 'A hidden treasure' : `Page ${at + 1}`,
  }))
  const { slug } = await storePages(reader.service, { title: 'A long book', pages })

  test('is scrolled from part to part, up and down, with two parts in memory and nothing moved on the screen', async (t) => {
    const page = await reader.read(t, `/p/${slug}#page-395`)
    const top = (number: number) =>
      page.evaluate<number>(`document.getElementById('page-${number}').getBoundingClientRect().top`)
    const until = (first: number, last: number) =>
      untilTrue(
        page,
        `(([first, last]) => first === ${first} && last === ${last})(
          [...document.querySelectorAll('section.page')].flatMap(({ dataset }, at, all) =>
            at === 0 || at === all.length - 1 ? [Number(dataset.page)] : []))`,
      )
    const scrollTo = (number: number) =>
      page.evaluate(`document.getElementById('page-${number}').scrollIntoView({ behavior: 'instant' })`)

    await until(1, 800)
    await scrollTo(402)
    await page.waitForURL(/\?from=401#page-402$/)
    assert.deepEqual(await page.locator('.parts a').allTextContents(), ['Pages 1–400', 'Pages 801–1200'])
    await scrollTo(799)
    await until(401, 1200)
    assert.ok(Math.abs(await top(799)) < 100, `${await top(799)}`)
    await scrollTo(402)
    await until(1, 800)
    assert.ok(Math.abs(await top(402)) < 100, `${await top(402)}`)
    await scrollTo(398)
    await page.waitForURL(/\/p\/[^?]+#page-398$/)
  })

  test('loads its parts one after another while its pages are turned', async (t) => {
    const page = await reader.read(t, `/p/${slug}`)

    await page.keyboard.press('s')
    await page.getByRole('textbox', { name: 'Page (of 1200)' }).fill('400')
    await page.keyboard.press('Enter')
    await page.getByText('Page 400 of 1200').waitFor({ state: 'attached' })
    await page.keyboard.press('ArrowRight')
    await page.getByText('Page 401 of 1200').waitFor({ state: 'attached' })
    await page.keyboard.press('ArrowRight')
    await page.getByText('Pages 402 and 403 of 1200').waitFor({ state: 'attached' })
    await page.waitForURL(/\?from=401#page-402$/)
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowLeft')

    await page.getByText('Page 400 of 1200').waitFor({ state: 'attached' })
  })

  test('opens at the page that its address names, and requests none that lie before it', async (t) => {
    const page = await visit(t, reader.browser, { isFirst: true })
    await page.addInitScript(WITHOUT_LATE_TIMERS)
    const images: string[] = []
    page.on('request', (request) => {
      const [, number, file] = /\/images\/[^/]+\/\d+-(\d+)-[^/]+\/(.+)$/.exec(request.url()) ?? []
      if (number !== undefined) images.push(`${number} ${file}`)
    })
    // The script arrives when the page with its image has been there for a while.
    await page.route(/reader\.[\da-f]+\.js$/, async (route) => {
      await untilTrue(page, `document.querySelector('#page-1000 picture img')?.complete`)
      await page.evaluate(TEN_FRAMES)
      await route.continue()
    })

    await page.goto(`${reader.service.url}/p/${slug}?page=1000`)

    await page.waitForURL(/\?from=801#page-1000$/)
    await untilTrue(page, `Math.abs(document.getElementById('page-1000').getBoundingClientRect().top) < 100`)
    assert.equal(await page.locator('.lead').isVisible(), false)
    // The smallest is there first, beside hundreds of pages of text.
    assert.equal(images[0], '1000 600.webp')
    assert.ok(!images.some((image) => image.startsWith('801 ')), `${images}`)
    await page.keyboard.press('ArrowRight')
    await page.waitForURL(/\?from=801#page-1001$/)
  })

  test('opens at a page without passing the one before it', async (t) => {
    const page = await visit(t, reader.browser, { isFirst: true })
    await page.addInitScript(`window.places = []; addEventListener('scroll', () => places.push(scrollY))`)
    const asked: string[] = []
    page.on('request', (request) => {
      if (request.isNavigationRequest()) asked.push(new URL(request.url()).search)
    })

    // The server does not see which page this names, and the head of its answer asks again.
    await page.goto(`${reader.service.url}/p/${slug}?from=401#page-830`)
    await page.waitForURL(/\?from=801#page-830$/)

    assert.deepEqual(asked, ['?from=401', '?page=830'])
    await untilTrue(page, `places.length > 0`)
    const distance = `document.getElementById('page-830').getBoundingClientRect().top + scrollY - places[0]`
    assert.ok(Math.abs(await page.evaluate<number>(distance)) < 100, `${await page.evaluate('places')}`)
  })

  test('is searched as a whole, and lists all its thumbnails', async (t) => {
    const page = await reader.read(t, `/p/${slug}?q=treasure`)
    await page.getByText('Match 1 of 1. Page 1100').waitFor({ state: 'attached' })
    await page.keyboard.press('Escape')

    await page.keyboard.press('t')
    const current = page.getByRole('list').getByRole('link', { name: 'Page 1100' })
    await current.waitFor()

    assert.equal(await current.getAttribute('aria-current'), 'page')
    assert.ok(
      (await page
        .getByRole('listitem')
        .filter({ has: page.locator('img') })
        .count()) < 40,
    )
  })

  test('lays out only nearby pages, keeps its position when a panel opens, and prints as a PDF', async (t) => {
    const page = await reader.read(t, `/p/${slug}#page-200`)
    const heights = `[...document.querySelectorAll('section.page')].map((section) => section.getBoundingClientRect().height)`
    const laidOut = `[...document.querySelectorAll('.sheet')].filter((sheet) =>
      sheet.checkVisibility({ contentVisibilityAuto: true })).length`

    assert.ok((await page.evaluate<number>(laidOut)) < 20)
    const [, ...others] = await page.evaluate<number[]>(heights)
    assert.ok(others.every((height) => Math.abs(height - others[0]) < 0.1))
    await page.keyboard.press('t')
    await page.getByRole('list').getByRole('link', { name: 'Page 200' }).waitFor()
    const top = await page.evaluate<number>(`document.getElementById('page-200').getBoundingClientRect().top`)
    assert.ok(Math.abs(top) < 100, `${top}`)
    await page.keyboard.press('p')
    await page.getByText('To print all 1200 pages').waitFor()
    await page.getByLabel('Whole document').check()
    const asked = page.context().waitForEvent('request', (request) => /\/files\/.*as=inline/.test(request.url()))
    await page.getByRole('dialog').getByRole('button', { name: 'Print' }).click()

    await asked
  })

  test('keeps few images in memory while reading on', async (t) => {
    const page = await reader.read(t, `/p/${await reader.publish('Foxes', madeBook(30))}`)
    await page.keyboard.press('v')

    for (let number = 2; number <= 30; number++) {
      await page.keyboard.press('ArrowRight')
      await page.locator(`#page-${number}.shown`).waitFor()
      await untilTrue(page, `document.querySelector('#page-${number} img').naturalWidth > 0`)
    }

    const held = await page.evaluate(
      `[...document.querySelectorAll('picture img')].filter((image) => image.naturalWidth > 0).length`,
    )
    assert.ok((held as number) <= 24, `${held}`)
    await page.keyboard.press('Home')
    await untilTrue(page, `document.querySelector('#page-1 img').naturalWidth > 0`)
  })
})
