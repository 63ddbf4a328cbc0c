import assert from 'node:assert/strict'
import { execFile, spawn, spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { databases } from '../support/databases.ts'
import { largeServer } from '../support/large-server.ts'
import { startService } from '../support/start-service.ts'

const CLIENTS = fileURLToPath(new URL('../../clients', import.meta.url))
const JSON_JAR = process.env.ORG_JSON_JAR
const COMPILING_MS = 600_000

const hasKotlin = JSON_JAR !== undefined && spawnSync('kotlinc', ['-version']).status === 0
// On Debian, a client of OpenStack has this name, too.
const hasSwift = /Swift version/.test(String(spawnSync('swift', ['--version']).stdout))

describe('The examples of the other clients', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'languages-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  const service = await startService({ after }, databases[0], { services: ['tracks'], signedIn: true })

  /** Watches a share, which is revoked after the first frame. */
  async function watches(command: string, args: string[]): Promise<void> {
    const path = `/operator/events/${service.eventId}/shares`
    const { id, url } = await service.answer<{ id: string; url: string }>(201, 'POST', path, {})
    const program = spawn(command, [...args, service.url, url.split('/').at(-1)!], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const lines: string[] = []
    for await (const line of createInterface(program.stdout)) {
      if (lines.length === 0) await service.answer(204, 'DELETE', `/operator/shares/${id}`)
      lines.push(line)
    }

    assert.match(lines[0], /^frame \d+, tracks that changed: 1$/)
    assert.match(lines[1], / stopped 45\.9\d+ 6\.8694/)
    assert.equal(lines.at(-1), 'ended 410')
  }

  /** Watches a part of an event of many tracks. */
  async function watchesTiles(command: string, args: string[]): Promise<void> {
    const large = await largeServer()
    let latest = 0
    const server = createServer(async ({ url }, response) => {
      if (url!.endsWith('/latest') && latest++ > 0) large.next()
      const answer = await large.fetch(url!)
      response.writeHead(answer.status).end(await answer.bytes())
    })
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    const { port } = server.address() as AddressInfo

    const watched = await runProgram(command, [...args, `http://127.0.0.1:${port}`, 'x', '0', '0', '0.005', '0.005'])
    server.close()

    assert.deepEqual(
      watched.split('\n').filter((line) => /^(frame|ended)/.test(line)),
      [
        'frame 1, tracks that changed: 5001',
        'frame 2, tracks that changed: 500, tiles: 1',
        'frame 3, tracks that changed: 1, tiles: 1',
        // The frames between are gone, and maybe tracks outside of the tile.
        'frame 6, tracks that changed: 5001',
        'frame 7, tracks that changed: 2',
        'frame 8, tracks that changed: 500, tiles: 1',
        'frame 9, tracks that changed: 1, tiles: 1',
        'ended 410',
      ],
    )
  }

  const noKotlin = !hasKotlin && 'kotlinc is not installed, or ORG_JSON_JAR does not name a library of org.json'
  test('Kotlin compiles, records a track, and reads frames', { skip: noKotlin, timeout: COMPILING_MS }, async () => {
    const jar = join(folder, 'client.jar')
    const files = globSync(`${CLIENTS}/kotlin/**/*.kt`)
    const compiled = spawnSync('kotlinc', [...files, '-cp', JSON_JAR!, '-include-runtime', '-Werror', '-d', jar])
    assert.equal(compiled.status, 0, String(compiled.stderr))
    const program = (name: string) => ['-cp', `${jar}:${JSON_JAR}`, `org.trackpress.client.${name}`]

    const recorded = await runProgram('java', [...program('RecordTrackKt'), service.url, service.token])
    const checked = await runProgram('java', [...program('CheckFramesKt'), `${CLIENTS}/frames`])

    assert.match(recorded, /: 60 points, 65 m, stopped/)
    assert.match(checked, /^\d\d frames are as expected/)
    await watches('java', program('WatchShareKt'))
    await watchesTiles('java', program('WatchShareKt'))
  })

  const noSwift = !hasSwift && 'Swift is not installed'
  test('Swift compiles, records a track, and reads frames', { skip: noSwift, timeout: COMPILING_MS }, async () => {
    const place = ['--package-path', `${CLIENTS}/swift`, '--scratch-path', folder]

    const recorded = await runProgram('swift', ['run', ...place, 'record-track', service.url, service.token])

    assert.match(recorded, /: 60 points, 65 m, stopped/)
    await runProgram('swift', ['test', ...place])
    await watches('swift', ['run', ...place, 'watch-share'])
    await watchesTiles('swift', ['run', ...place, 'watch-share'])
  })
})

/** Runs a program while the server in this process answers it, and returns what it prints. */
async function runProgram(command: string, args: string[]): Promise<string> {
  return (await promisify(execFile)(command, args)).stdout
}
