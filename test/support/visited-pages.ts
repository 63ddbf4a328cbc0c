import { isDeepStrictEqual } from 'node:util'
import type { Browser, BrowserContextOptions, CDPSession, Page } from 'playwright-core'

// A page of a new visitor takes a second of processor time: processes start, and all scripts are fetched and compiled
// again. A page that a visitor has left and that remembers nothing of the visit takes a third of it.

/** A visitor's browser, and whether it has WebGL, by which maps are drawn: by default it has not. */
export type VisitorOptions = BrowserContextOptions & { drawsMaps?: boolean }

/** Settings of a browser that a page takes over at any time, all of them given. */
type Emulation = Required<Omit<NonNullable<Parameters<Page['emulateMedia']>[0]>, 'media'>> & {
  viewport: NonNullable<BrowserContextOptions['viewport']>
}
/** A page that is left, with the settings that it has for good. */
type Left = { page: Page; fixed: object }

/** The pages that are left, of each browser. */
const left = new WeakMap<Browser, Left[]>()
/** Pages with something that cannot be taken back. */
const changed = new WeakSet<Page>()
const devtools = new WeakMap<Page, CDPSession>()

/** What changes a page or its context for good, so that the next visitor gets another one. */
const OF_PAGES = ['addInitScript', 'exposeBinding', 'exposeFunction', 'on', 'once'] as const
const OF_CONTEXTS = [
  'addInitScript',
  'exposeBinding',
  'newCDPSession',
  'grantPermissions',
  'setGeolocation',
  'on',
] as const
/** Pages kept at most, because each is a process. */
const KEPT = 4
const PARKED_WITHIN_MS = 5_000

/** Takes WebGL from the pages of a context: a map takes twice as long as all else on its page. */
const WITHOUT_WEBGL = `{
  const { getContext } = HTMLCanvasElement.prototype
  HTMLCanvasElement.prototype.getContext = function (type, ...rest) {
    return type.startsWith('webgl') ? null : getContext.call(this, type, ...rest)
  }
}`

/** Returns a page that was left, or a new one. `prepare` is called once for each page, and for tabs that it opens. */
export async function takePage(
  browser: Browser,
  options: VisitorOptions,
  isNew: boolean,
  prepare: (page: Page) => void,
): Promise<Page> {
  const pages = left.get(browser) ?? []
  const { emulated, fixed } = divided(options)
  const at = isNew ? -1 : pages.findLastIndex((each) => isDeepStrictEqual(each.fixed, fixed))
  if (at !== -1) {
    const [{ page }] = pages.splice(at, 1)
    await emulate(page, emulated)
    return page
  }
  const { drawsMaps, ...ofContext } = fixed
  const context = await browser.newContext({ ...ofContext, ...emulated })
  if (!drawsMaps) await context.addInitScript(WITHOUT_WEBGL)
  context.on('page', prepare)
  const page = await context.newPage()
  devtools.set(page, await context.newCDPSession(page))
  noteChanges(page, page, OF_PAGES)
  interceptAtOnce(page)
  noteChanges(page, context, OF_CONTEXTS)
  return page
}

/** Returns the developer tools of a page that was taken; undefined for a tab that a page has opened. */
export function devtoolsOf(page: Page): CDPSession | undefined {
  return devtools.get(page)
}

/** Divides the settings of a visitor into those that a page takes over and those that it has for good. */
function divided(options: VisitorOptions) {
  const { drawsMaps = false, viewport, colorScheme, contrast, forcedColors, reducedMotion, ...others } = options
  const emulated: Emulation = {
    viewport: viewport ?? { width: 1280, height: 900 },
    colorScheme: colorScheme ?? 'light',
    contrast: contrast ?? 'no-preference',
    forcedColors: forcedColors ?? 'none',
    reducedMotion: reducedMotion ?? 'no-preference',
  }
  return { emulated, fixed: { drawsMaps, ...others } }
}

async function emulate(page: Page, { viewport, ...media }: Emulation): Promise<void> {
  if (!isDeepStrictEqual(page.viewportSize(), viewport)) await page.setViewportSize(viewport)
  await page.emulateMedia({ media: null, ...media })
}

/** Keeps a page for the next visitor, if nothing of this visit can be found in it; closes it otherwise. */
export async function leavePage(browser: Browser, page: Page, options: VisitorOptions): Promise<void> {
  if (changed.has(page) || !(await forget(page))) return await page.context().close()
  const pages = [...(left.get(browser) ?? []), { page, fixed: divided(options).fixed }]
  left.set(browser, pages)
  if (pages.length > KEPT) await pages.shift()!.page.context().close()
}

/** Removes all that a visit leaves in a page and its context. @returns whether it could */
async function forget(page: Page): Promise<boolean> {
  const context = page.context()
  const { protocol, origin } = URL.parse(page.url()) ?? {}
  if (page.isClosed() || protocol !== 'http:') return false
  for (const other of context.pages()) if (other !== page) await other.close()
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await context.unrouteAll({ behavior: 'ignoreErrors' })
  await context.setOffline(false)
  // Of the same server, so that the process stays with the scripts it has compiled.
  const parked = await page.goto(`${origin}/healthz`, { timeout: PARKED_WITHIN_MS }).catch(() => undefined)
  if (!parked?.ok()) return false
  await devtools.get(page)!.send('Storage.clearDataForOrigin', { origin: '*', storageTypes: 'all' })
  await page.evaluate('sessionStorage.clear()')
  await context.clearCookies()
  return true
}

/**
 * Makes `route` wait until a page that is open asks the test. Playwright's own returns earlier, and on a busy machine
 * the requests of that moment go to the server.
 */
function interceptAtOnce(page: Page): void {
  const route = page.route.bind(page)
  page.route = async (...parameters) => {
    const routed = await route(...parameters)
    const { protocol, origin } = new URL(page.url())
    if (protocol !== 'http:') return routed
    const probe = `${origin}/healthz?intercepted`
    await route(probe, (request) => request.fulfill({ body: 'intercepted' }))
    const isIntercepted = `fetch('${probe}').then((answer) => answer.text()).then((text) => text === 'intercepted')`
    while (!(await page.evaluate<boolean>(isIntercepted))) await page.waitForTimeout(20)
    await page.unroute(probe)
    return routed
  }
}

/** Notes if one of these methods is called. */
function noteChanges<Target extends object>(page: Page, target: Target, methods: readonly (keyof Target)[]): void {
  for (const name of methods) {
    const method = target[name] as (...parameters: unknown[]) => unknown
    const noted = (...parameters: unknown[]) => {
      changed.add(page)
      return method.apply(target, parameters)
    }
    Object.assign(target, { [name]: noted })
  }
}
