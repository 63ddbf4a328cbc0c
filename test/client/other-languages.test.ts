import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { databases } from '../support/databases.ts'
import { startService } from '../support/start-service.ts'

const CLIENTS = fileURLToPath(new URL('../../clients', import.meta.url))
const JSON_JAR = process.env.ORG_JSON_JAR
const COMPILING_MS = 600_000

const hasKotlin = JSON_JAR !== undefined && spawnSync('kotlinc', ['-version']).status === 0
const hasSwift = process.platform === 'darwin' && spawnSync('swift', ['--version']).status === 0

describe('The examples of the other clients', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'languages-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  const service = await startService({ after }, databases[0], { services: ['tracks'] })

  const noKotlin = !hasKotlin && 'kotlinc is not installed, or ORG_JSON_JAR does not name a library of org.json'
  test('Kotlin compiles and records a track', { skip: noKotlin, timeout: COMPILING_MS }, async () => {
    const jar = join(folder, 'record-track.jar')
    const files = globSync(`${CLIENTS}/kotlin/**/*.kt`)
    const compiled = spawnSync('kotlinc', [...files, '-cp', JSON_JAR!, '-include-runtime', '-Werror', '-d', jar])
    assert.equal(compiled.status, 0, String(compiled.stderr))

    const args = ['-cp', `${jar}:${JSON_JAR}`, 'org.trackpress.client.RecordTrackKt', service.url, service.token]
    assert.match(await runProgram('java', args), /: 60 points, 65 m, stopped/)
  })

  const noSwift = !hasSwift && 'Swift for Apple platforms is not installed'
  test('Swift compiles and records a track', { skip: noSwift, timeout: COMPILING_MS }, async () => {
    const args = ['run', '--package-path', `${CLIENTS}/swift`, '--scratch-path', folder, 'record-track']

    assert.match(await runProgram('swift', [...args, service.url, service.token]), /: 60 points, 65 m, stopped/)
  })
})

/** Runs a program while the server in this process answers it, and returns what it prints. */
async function runProgram(command: string, args: string[]): Promise<string> {
  return (await promisify(execFile)(command, args)).stdout
}
