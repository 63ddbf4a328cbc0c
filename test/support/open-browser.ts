import { readFileSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'
import { hasMemory } from './data-folder.ts'
import type { Owner } from './databases.ts'
import { processOwner } from './end-of-process.ts'
import { chromiumPackage, unpackChromium } from './unpack-chromium.ts'

/**
 * Without the sandbox, because tests also run as root. WebGL is rendered by the CPU. Pages are composed without WebGL,
 * which takes the CPU a quarter to half less for pages without a map.
 */
const ARGUMENTS = [
  '--no-sandbox',
  '--headless=shell',
  '--in-process-gpu',
  '--disable-gpu-compositing',
  '--ignore-gpu-blocklist',
  '--use-gl=angle',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--font-render-hinting=none',
]
/**
 * Pages of tests are too short-lived to gain by the compilers of hot code, and have memory for new objects from the
 * start: pages take 10 to 20 % less.
 */
const SHORT_LIVED = ['--js-flags=--no-opt,--no-maglev,--min-semi-space-size=16']
/**
 * Given by Playwright for machines with little shared memory. Then each part of a picture that processes hand over is a
 * new file, which takes a twelfth of the processor time of a test.
 */
const MEMORY_ON_DISK = '--disable-dev-shm-usage'

let shared: Promise<Browser> | undefined

/**
 * Starts a real browser, closed with its owner, or with the process if its test files share one: a start takes 0.6
 * seconds of processor time. Nothing has to be installed for it but the packages: on Linux it comes with them,
 * elsewhere it is the Chrome that is there.
 */
export async function openBrowser(owner: Owner): Promise<Browser> {
  const lasting = processOwner()
  if (lasting === undefined) return await launchFor(owner, SHORT_LIVED)
  if (shared === undefined || !(await shared).isConnected()) shared = launchFor(lasting, SHORT_LIVED)
  return await shared
}

/** Starts a browser as readers have it, for measurements; closed with its owner. */
export async function openMeasuredBrowser(owner: Owner): Promise<Browser> {
  return await launchFor(owner, [])
}

async function launchFor(owner: Owner, flags: string[]): Promise<Browser> {
  const browser = await launch(flags)
  owner.after(() => browser.close())
  return browser
}

async function launch(flags: string[]): Promise<Browser> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return await chromium.launch({ channel: 'chrome' })
  const { version } = JSON.parse(readFileSync(chromiumPackage, 'utf8')) as { version: string }
  const { executablePath, env } = await unpackChromium(version)
  return await chromium.launch({
    executablePath,
    env: { ...process.env, ...env },
    args: [...ARGUMENTS, ...flags],
    ignoreDefaultArgs: hasMemory() ? [MEMORY_ON_DISK] : [],
  })
}
