// npm run screenshots [-- <name> …] : starts the demo and a race with a mass start on its course, opens them in a
// browser and writes the pictures in docs/screenshots.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { openBrowser } from '../test/support/open-browser.ts'
import { startProcess } from '../test/support/start-process.ts'
import { startCastleRace } from './screenshots/castle-race.ts'
import { listScenes } from './screenshots/scenes.ts'
import { openStudio, type Scene, type Studio } from './screenshots/studio.ts'

/** Tails on the live map appear only after the race has been watched for a while. */
const LIVE_FOR_MS = 15_000
const FILLED_WITHIN_MS = 120_000

const wanted = process.argv.slice(2)
const cleanUps: (() => Promise<void> | void)[] = []
const owner = { after: (clean: () => Promise<void> | void) => void cleanUps.unshift(clean) }
try {
  const dataDir = mkdtempSync(join(tmpdir(), 'screenshots-'))
  owner.after(() => rmSync(dataDir, { recursive: true, force: true }))
  const demo = await startProcess({ DATA_DIR: dataDir, TZ: 'Europe/Vaduz' }, ['--demo'], { flags: [] })
  owner.after(async () => void (await demo.stop()))
  await printed(/To read/)
  const studio = await openStudio(await openBrowser(owner), demo.url, await printed(/sign-in#token=(\S+)/))
  const race = await startCastleRace(demo.url, studio.send)
  owner.after(() => race.stop())
  await wait(LIVE_FOR_MS)
  const scenes = listScenes(race)
  for (const scene of scenes.filter(({ name }) => wanted.length === 0 || wanted.includes(name))) {
    process.stdout.write(`${scene.name}: ${await taken(studio, scene)}\n`)
  }

  async function printed(pattern: RegExp): Promise<string> {
    for (let waitedMs = 0; waitedMs < FILLED_WITHIN_MS; waitedMs += 200) {
      const found = pattern.exec(demo.output().stdout)
      if (found !== null) return found[1] ?? ''
      await wait(200)
    }
    throw new Error(`The demo did not become ready:\n${demo.output().stdout}${demo.output().stderr}`)
  }
} finally {
  for (const clean of cleanUps) await clean()
}

/** Takes a picture. A failure does not block the others. */
async function taken(studio: Studio, scene: Scene): Promise<string> {
  try {
    return `${await studio.take(scene)} kB`
  } catch (error) {
    process.exitCode = 1
    return `not taken, ${(error as Error).message.split('\n')[0]}`
  }
}
