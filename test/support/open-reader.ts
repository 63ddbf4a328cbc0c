import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Browser, Locator, Page } from 'playwright-core'
import type { Owner } from './databases.ts'
import { processOwner } from './end-of-process.ts'
import { type MadePdf, makePdf, pageReference, showText } from './make-pdf.ts'
import { openBrowser } from './open-browser.ts'
import { publishPdf, untilRendered } from './publish.ts'
import { startPages } from './start-pages.ts'
import type { StartedService } from './start-service.ts'
import { type VisitOptions, visit } from './visit.ts'

export const builtReader = fileURLToPath(new URL('../../dist/reader/reader.js', import.meta.url))

/** The program with published documents, and a browser to read them with. */
export type OpenedReader = {
  service: StartedService
  browser: Browser
  /** Returns the path of a book of foxes with so many pages, published when it is first asked for. */
  book(pageCount: number): Promise<string>
  /** Publishes a document and waits until it is rendered. @returns its slug */
  publish(title: string, pdf: Uint8Array, access?: 'unlisted'): Promise<string>
  /** Opens a page of the server as a visitor, and waits for the reader. */
  read(owner: Owner, path: string, options?: VisitOptions): Promise<Page>
}

let shared: Promise<OpenedReader> | undefined

/**
 * Starts both. The owner stops them, or the process if its test files share them; these publish documents of their own,
 * and read the same books of foxes. The reader must be built, which the set-up step does.
 */
export async function openReader(owner: Owner): Promise<OpenedReader> {
  const lasting = processOwner()
  if (lasting === undefined) return await startReader(owner)
  shared ??= startReader(lasting)
  return await shared
}

async function startReader(owner: Owner): Promise<OpenedReader> {
  if (!existsSync(builtReader)) throw new Error('The reader is not built: run node scripts/build-web.ts')
  const service = await startPages(owner)
  const browser = await openBrowser(owner)
  const books = new Map<number, Promise<string>>()

  async function publish(title: string, pdf: Uint8Array, access?: 'unlisted'): Promise<string> {
    const { slug } = await publishPdf(service, { title, pdf, access })
    await untilRendered(service, slug)
    return slug
  }

  async function publishBook(pageCount: number): Promise<string> {
    return `/p/${await publish('A book of foxes', madeBook(pageCount))}`
  }

  return {
    service,
    browser,
    publish,
    async book(pageCount) {
      const path = books.get(pageCount) ?? publishBook(pageCount)
      books.set(pageCount, path)
      return await path
    },
    async read(visitor, path, options) {
      const page = await visit(visitor, browser, options)
      await page.goto(service.url + path)
      await page.getByRole('toolbar').waitFor()
      return page
    },
  }
}

/** A book with its number and some text on every page, an outline, and a link on the first page. */
export function madeBook(pageCount: number, options: Pick<MadePdf, 'catalog'> = {}): Buffer {
  const lines = (page: number) => [
    showText(`Page ${page}`),
    showText('The quick brown fox jumps', 72, 640, 18),
    showText(`over the lazy dog ${page} times`, 72, 610, 18),
    ...(page % 5 === 0 ? [showText('A hidden treasure', 72, 560, 18)] : []),
  ]
  const link = `<< /Type /Annot /Subtype /Link /Rect [72 400 300 440] /Border [0 0 0] /Dest [${pageReference(Math.min(3, pageCount))} /Fit] >>`
  const entry = (title: string, page: number, rest: string) =>
    `<< /Title (${title}) /Parent 10 0 R ${rest} /Dest [${pageReference(page)} /Fit] >>`
  return makePdf({
    pages: Array.from({ length: pageCount }, (_, at) => ({
      content: lines(at + 1).join('\n'),
      ...(at === 0 && { annotations: [link] }),
    })),
    catalog: `/Outlines 10 0 R ${options.catalog ?? '/Lang (en)'}`,
    objects: [
      '<< /Type /Outlines /First 11 0 R /Last 13 0 R /Count 3 >>',
      entry('The beginning', 1, '/Next 12 0 R'),
      entry('The end', pageCount, '/Prev 11 0 R /Next 13 0 R'),
      entry('over the lazy dog', pageCount, '/Prev 12 0 R'),
    ],
  })
}

/** Returns the place of a word on the image of a page of the book. */
export async function wordBox(page: Page, number: number, text: string) {
  const word = page.locator(`#page-${number} .words > span`, { hasText: new RegExp(`^${text}\\s*$`) })
  return (await word.boundingBox())!
}

/** Selects a passage on the image of a page of the book: from "brown" to "lazy", over a line break. */
export async function selectPassage(page: Page, number: number): Promise<void> {
  const [first, last] = [await wordBox(page, number, 'brown'), await wordBox(page, number, 'lazy')]
  await page.mouse.move(first.x + 1, first.y + first.height / 2)
  await page.mouse.down()
  await page.mouse.move(last.x + last.width - 1, last.y + last.height / 2, { steps: 8 })
  await page.mouse.up()
}

/** Far longer than any condition takes on a busy machine. */
const CONDITION_WITHIN_MS = 120_000

/** Waits until a JavaScript condition holds in a page. Polls from outside: the page's policy forbids evaluation. */
export async function untilTrue(page: Page, condition: string): Promise<void> {
  const startMs = performance.now()
  while (!(await page.evaluate(condition))) {
    if (performance.now() - startMs > CONDITION_WITHIN_MS) throw new Error(`It never came true: ${condition}`)
    await page.waitForTimeout(50)
  }
}

/** Waits until a text is announced to screen readers. */
export async function announced(page: Page, text: string): Promise<void> {
  await page.locator('.reader-announcer', { hasText: text }).waitFor({ state: 'attached' })
}

/** Finds the image of a page with all that lies on it. */
export function sheet(page: Page, number: number): Locator {
  return page.locator(`#page-${number} .sheet`)
}

/** Returns the numbers of the pages that can be seen below the toolbar. */
export async function pagesOnScreen(page: Page): Promise<number[]> {
  return await page.evaluate(`[...document.querySelectorAll('section.page')]
    .filter((section) => {
      const { top, bottom, width } = section.getBoundingClientRect()
      return width > 0 && bottom > 80 && top < innerHeight - 80
    })
    .map(({ dataset }) => Number(dataset.page))`)
}
