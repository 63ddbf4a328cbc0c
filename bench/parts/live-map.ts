import type { Browser, Page } from 'playwright-core'
import { openMeasuredBrowser } from '../../test/support/open-browser.ts'
import { createShare, type Operator, signIn } from '../load/operator.ts'
import { Phones } from '../load/phones.ts'
import { spentDuring } from '../program/processor-time.ts'
import type { Target } from '../program/target.ts'
import type { Figure } from '../report/figure.ts'
import type { Part } from './part.ts'

const RUNNERS = 3000
/** Runners that send within a second. */
const MOVING = 300
/** The screen of a phone, and how much slower its processor is. */
const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true }
const SLOWER = 4
const SETTLE_MS = 8000
const MEASURED_MS = 6000
/** Time for which a map moves after the press of an arrow key. */
const MOVE_MS = 300

/** Counts the frames of the screen, and the pictures of the runners: all are drawn with one call. */
const COUNT_PICTURES = `{
  const draw = WebGL2RenderingContext.prototype.drawArrays
  window.pictures = 0
  window.screens = 0
  requestAnimationFrame(function count() {
    window.screens++
    requestAnimationFrame(count)
  })
  WebGL2RenderingContext.prototype.drawArrays = function (mode, ...rest) {
    if (mode === this.POINTS) {
      window.pictures++
      window.firstMs ??= performance.now()
    }
    return draw.call(this, mode, ...rest)
  }
}`

/** Live maps of 3,000 runners on the screen of a phone, drawn without a graphics card. */
export const liveMap: Part = {
  name: 'live-map',
  title: 'The live map of 3,000 runners on a phone',
  engines: 'SQLite',
  async *measure({ engine }) {
    const server = await engine.start({ CONNECTIONS: '20000', CONNECTIONS_PER_ADDRESS: '20000' })
    const operator = await signIn(server)
    const { url } = await createShare(operator, server)
    const phones = await Phones.open(server, RUNNERS)
    const ending = new AbortController()
    const sending = (async () => {
      while (!ending.signal.aborted) await phones.send(MOVING, 1000, () => {})
    })()
    const leaving: (() => unknown)[] = []
    const browser = await openMeasuredBrowser({ after: (leave) => void leaving.push(leave) })
    yield await measurePage(browser, 'of spectators', url)
    yield await measurePage(browser, 'of the dashboard', `${server.url}/dashboard/events/${server.eventId}`, {
      server,
      operator,
    })
    ending.abort()
    await sending
    phones.close()
    for (const leave of leaving) await leave()
    await server.stop()
  },
}

async function measurePage(
  browser: Browser,
  name: string,
  address: string,
  signedIn?: { server: Target; operator: Operator },
): Promise<Figure[]> {
  const context = await browser.newContext(PHONE)
  if (signedIn !== undefined) {
    const [cookie, value] = signedIn.operator.cookie.split('=')
    await context.addCookies([{ name: cookie, value, url: signedIn.server.url }])
  }
  const others = await rendererIds(browser)
  const page = await context.newPage()
  await page.addInitScript(COUNT_PICTURES)
  const session = await context.newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
  await page.goto(address, { waitUntil: 'commit' })
  while (!(await page.evaluate<boolean>("'firstMs' in window"))) await page.waitForTimeout(100)
  const firstMs = await page.evaluate<number>('firstMs')
  await page.waitForTimeout(SETTLE_MS)
  const atRest = await countDuring(page)
  const moving = await countDuring(page, moveMap)
  await session.send('Emulation.setCPUThrottlingRate', { rate: 1 })
  const pid = (await rendererIds(browser)).find((id) => !others.includes(id))!
  const spentAtRest = await spentDuring(pid, async () => await countDuring(page))
  let drawn = atRest
  const spentMoving = await spentDuring(pid, async () => {
    drawn = await countDuring(page, moveMap)
  })
  await context.close()
  const perSec = (count: number) => (count / (MEASURED_MS / 1000)).toFixed(1)
  return [
    { what: `the page ${name}, until everyone is drawn, on a processor ${SLOWER}x slower`, value: firstMs, unit: 'ms' },
    {
      what: `${name}, frames of the screen a second on it`,
      value: atRest.screens / (MEASURED_MS / 1000),
      unit: '',
      beside: `${perSec(atRest.pictures)} of them with a picture: in the others, nobody has moved by a quarter of a pixel`,
    },
    {
      what: `${name}, pictures a second on it while the map moves`,
      value: moving.pictures / (MEASURED_MS / 1000),
      unit: '',
    },
    {
      what: `${name}, processor time of the page’s thread in a second, at full speed`,
      value: spentAtRest.us('main') / MEASURED_MS,
      unit: 'ms',
    },
    {
      what: `${name}, the same for a picture while the map moves`,
      value: spentMoving.us('main') / 1000 / drawn.pictures,
      unit: 'ms',
      beside: `${perSec(drawn.pictures)} pictures a second; the map itself and all other work of the page are part of it`,
      goal: { atMost: 20 / SLOWER },
    },
  ]
}

type Count = { pictures: number; screens: number }

/** Counts for a while. @param work is repeated meanwhile */
async function countDuring(page: Page, work = async (_: Page) => {}): Promise<Count> {
  const counts = async () => JSON.parse(await page.evaluate<string>('JSON.stringify({ pictures, screens })')) as Count
  const before = await counts()
  const endMs = performance.now() + MEASURED_MS
  while (performance.now() < endMs) {
    await work(page)
    await page.waitForTimeout(Math.min(MOVE_MS, Math.max(0, endMs - performance.now())))
  }
  const after = await counts()
  return { pictures: after.pictures - before.pictures, screens: after.screens - before.screens }
}

let movesRight = false

async function moveMap(page: Page): Promise<void> {
  movesRight = !movesRight
  await page.locator('.maplibregl-canvas').press(movesRight ? 'ArrowRight' : 'ArrowLeft')
}

async function rendererIds(browser: Browser): Promise<number[]> {
  const session = await browser.newBrowserCDPSession()
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  await session.detach()
  return processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id)
}
