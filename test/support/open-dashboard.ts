import type { Browser, Page } from 'playwright-core'
import type { Share } from '../../src/tracks/shares/schemas.ts'
import type { Owner } from './databases.ts'
import { drawFewFrames } from './few-frames.ts'
import { openBrowser } from './open-browser.ts'
import { startPages } from './start-pages.ts'
import type { ServiceOptions, StartedService } from './start-service.ts'
import { type VisitOptions, visit } from './visit.ts'

export const PASSWORD = 'a quiet lake at dawn'

/**
 * Transitions draw a page dozens of times for what no test looks at. Maps move as they do for everybody, because what
 * is painted while they move is their own code, but in a quarter of the pixels. First visits have all of them.
 */
function quicklyDrawn(options: VisitOptions = {}): VisitOptions {
  if (!options.drawsMaps) return { reducedMotion: 'reduce', ...options }
  return options.isFirst ? options : { deviceScaleFactor: 0.5, ...options }
}

/** The program with its dashboard, and a browser to look at it. */
export type Dashboard = {
  service: StartedService
  browser: Browser
  /** Address of a page of the dashboard. */
  at(path: string): string
  /**
   * Opens a page of the dashboard: in its document if there is one, as a link does, which takes a third of the time.
   * Answers that the dashboard has kept are shown until there are newer ones.
   */
  go(page: Page, address: string): Promise<void>
  /** A visitor who is not signed in. */
  visit(owner: Owner, options?: VisitOptions): Promise<Page>
  /** The operator of the first start, signed in with the password above. */
  visitSignedIn(owner: Owner, options?: VisitOptions): Promise<Page>
  /**
   * Shares an event, by default the first one, or one of its tracks, with the option `signedIn`.
   * @returns the address for spectators
   */
  share(body?: object, eventId?: string): Promise<string>
}

/** Lets the confirmation of every session be over, as it is after ten minutes. */
export async function forgetConfirmation({ server }: StartedService): Promise<void> {
  await server.operator!.deps.database.db.updateTable('sessions').set({ confirmed_at: 0 }).execute()
}

/**
 * Starts both; the owner stops them. The pages must be built, which the set-up step does. With `signedIn`, another
 * operator sends the requests of `service.answer`, by which tests make without a page what they look at.
 */
export async function openDashboard(
  owner: Owner,
  options: Pick<ServiceOptions, 'settings' | 'signedIn'> = {},
): Promise<Dashboard> {
  const service = await startPages(owner, options)
  const browser = await openBrowser(owner)
  const { url, server } = service
  const { name, signInPath } = server.firstStart.operator!

  /** The link of the first start works once, and several parts of a file may sign in at the same time. */
  let lastSignIn = Promise.resolve()

  async function signIn(page: Page): Promise<void> {
    const { request } = page.context()
    const headers = { Origin: url }
    const session = await request.post(`${url}/operator/session`, { headers, data: { name, password: PASSWORD } })
    if (session.ok()) return
    const token = new URLSearchParams(new URL(signInPath, url).hash.slice(1)).get('token')
    const data = { token, password: PASSWORD }
    const first = await request.post(`${url}/operator/sign-in-link`, { headers, data })
    if (!first.ok()) throw new Error(`Signing in was refused: ${await first.text()}`)
  }

  async function open(visitor: Owner, options?: VisitOptions): Promise<Page> {
    const page = await visit(visitor, browser, quicklyDrawn(options))
    if (options?.drawsMaps && !options.isFirst) await drawFewFrames(page)
    return page
  }

  return {
    service,
    browser,
    at: (path) => `${url}/dashboard${path}`,
    go: goWithin,
    visit: open,
    async visitSignedIn(visitor, options) {
      const page = await open(visitor, options)
      const turn = lastSignIn.then(() => signIn(page))
      lastSignIn = turn.catch(() => {})
      await turn
      return page
    },
    async share(body = {}, eventId = service.eventId) {
      const path = `/operator/events/${eventId}/shares`
      return (await service.answer<Share>(201, 'POST', path, body)).url!
    },
  }
}

/** The place in which the library of the dashboard's router leaves it for tools. */
const ROUTER = '__TSR_ROUTER__'

/** Opens a page by the router of the dashboard, if that is there, and waits until it is drawn. */
async function goWithin(page: Page, address: string): Promise<void> {
  if (!(await page.evaluate<boolean>(`'${ROUTER}' in globalThis`))) {
    await page.goto(address)
    return
  }
  const { pathname, search, hash } = new URL(address)
  const href = pathname.slice('/dashboard'.length) + search + hash
  await page.evaluate(`(async () => {
    await ${ROUTER}.navigate({ href: ${JSON.stringify(href)} })
    const isDrawn = ({ status, location, resolvedLocation }) =>
      status === 'idle' && resolvedLocation?.href === location.href
    while (!isDrawn(${ROUTER}.state)) await new Promise((resolve) => setTimeout(resolve, 10))
  })()`)
}
