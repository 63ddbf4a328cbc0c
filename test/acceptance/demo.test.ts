import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { ADMIN, PROGRAM, runProgram } from '../support/run-program.ts'
import { startProcess } from '../support/start-process.ts'

const WITHIN_MS = 120_000

type SharedTrack = { id: string; state: string; points_count: number }

describe('the demo', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'demo-'))
  const settings = { DATA_DIR: dataDir }
  const demo = await startProcess(settings, ['--demo'])
  after(async () => {
    await demo.stop('SIGKILL')
    rmSync(dataDir, { recursive: true, force: true })
  })

  async function tracksForSpectators(): Promise<SharedTrack[]> {
    const response = await fetch(`${demo.url}/shares/${await shareToken()}/tracks`)
    return ((await response.json()) as { tracks: SharedTrack[] }).tracks
  }

  const shareToken = async () => await printed(/(shr_[\w-]+)/)

  async function printed(pattern: RegExp): Promise<string> {
    return await until(() => pattern.exec(demo.output().stdout)?.[1])
  }

  test('has a race in progress, with runners who have arrived and runners on course', async () => {
    const first = new Map<string, number>()
    await until(async () => {
      const tracks = await tracksForSpectators()
      for (const { id, points_count } of running(tracks)) if (!first.has(id)) first.set(id, points_count)
      const arrived = tracks.filter(({ state }) => state === 'stopped')
      const moved = tracks.filter(({ id, points_count }) => points_count > (first.get(id) ?? Number.POSITIVE_INFINITY))
      return arrived.length >= 1 && running(tracks).length >= 3 && moved.length >= 3
    })
  })

  test('has a ranking of its race, with runners at the finish, on course and not started', async () => {
    const token = await shareToken()
    await until(async () => {
      const { entries } = (await (await fetch(`${demo.url}/shares/${token}/ranking`)).json()) as {
        entries: { rank: number | null; name: string; state: string; passings: object[] }[]
      }
      const has = (state: string) => entries.some((entry) => entry.state === state)
      return has('finished') && has('running') && has('not-started') && entries[0].passings.length === 6
    })
  })

  test('shows spectators a map of its place', async () => {
    const page = await (await fetch(`${demo.url}/s/${await shareToken()}`)).text()
    const address = /\/maps\/[0-9a-f]{64}\.pmtiles/.exec(page)?.[0]

    const map = await fetch(`${demo.url}${address}`, { headers: { Range: 'bytes=0-6' } })

    assert.deepEqual([map.status, await map.text()], [206, 'PMTiles'])
  })

  test('has a library to read', async () => {
    const address = await printed(/To read\s+(\S+)/)

    const slug = address.split('/').at(-1)
    const publication = await until(async () => {
      const found = (await (await fetch(`${demo.url}/publications/${slug}`)).json()) as { status: string }
      return found.status === 'ready' ? found : undefined
    })

    assert.partialDeepStrictEqual(publication, { title: 'Getting started with Trackpress' })
    const page = await (await fetch(address)).text()
    assert.ok(page.includes('<title>Getting started with Trackpress</title>'))
  })

  test('prints a working sign-in link', async () => {
    const token = await printed(/sign-in#token=(\S+)/)

    const response = await fetch(`${demo.url}/operator/sign-in-link`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ token, password: 'a quiet lake at dawn' }),
    })

    assert.equal(response.status, 200)
  })

  test('finishes the live tracks on SIGTERM, and adds nothing on a second start', async () => {
    const exitCode = await demo.stop()
    const events = await listEvents(settings)
    const again = await startProcess(settings, ['--demo'])
    const second = await again.stop()

    assert.deepEqual([exitCode, second], [0, 0])
    assert.match(again.output().stdout, /The installation already has data, so the demo adds nothing/)
    assert.deepEqual(await listEvents(settings), events)
    assert.equal(events.length, 3)
  })
})

describe('the command line', () => {
  test('refuses an unknown argument and lists the known ones', async () => {
    const { exitCode, stderr } = await runProgram(PROGRAM, {}, ['--demos'])

    assert.equal(exitCode, 1)
    assert.match(stderr, /--demos[\s\S]*Usage: npm start \[-- --demo\]/)
  })

  test('refuses a demo without all services', async () => {
    const { exitCode, stderr } = await runProgram(PROGRAM, { SERVICES: 'tracks' }, ['--demo'])

    assert.equal(exitCode, 1)
    assert.match(stderr, /--demo needs all services/)
  })
})

function running(tracks: readonly SharedTrack[]): SharedTrack[] {
  return tracks.filter(({ state }) => state === 'running')
}

async function listEvents(settings: Record<string, string>): Promise<{ id: string; tracks_count: number }[]> {
  const { stdout } = await runProgram(ADMIN, settings, ['events', 'list'])
  return JSON.parse(stdout)
}

/** Polls until there is a result. */
async function until<Answer>(ask: () => Promise<Answer | undefined | false> | Answer | undefined): Promise<Answer> {
  const startedMs = performance.now()
  for (;;) {
    const answer = await ask()
    if (answer !== undefined && answer !== false) return answer
    if (performance.now() - startedMs > WITHIN_MS) throw new Error('The expected state was not reached in time.')
    await wait(200)
  }
}
