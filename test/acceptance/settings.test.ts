import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { oneDatabase } from '../support/databases.ts'
import { PROGRAM, runProgram } from '../support/run-program.ts'
import { startProcess } from '../support/start-process.ts'
import { startProgram } from './start-program.ts'

describe('invalid settings', () => {
  test('are listed together, with exit code 1, before anything is opened or created', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'settings-'))
    t.after(() => rmSync(folder, { recursive: true }))
    const dataDir = join(folder, 'data')

    const { exitCode, stdout, stderr } = await runProgram(PROGRAM, {
      DATA_DIR: dataDir,
      PORT: '99999',
      DATABASE_URL: 'mysql://root:hunter2@db/x',
      BASE_URL: 'ftp://example.org',
      SERVICES: 'tracks,cooking',
      TRACKS_RATE_LIMIT: 'fast',
      TITLE_TIME_ZONE: 'Europe/Atlantis',
      SECRET_KEY: 'too short',
      TRUSTED_PROXIES: 'not an address',
      LOG_LEVEL: 'loud',
    })

    assert.deepEqual([exitCode, stdout], [1, ''])
    for (const name of [
      'PORT',
      'DATABASE_URL',
      'BASE_URL',
      'SERVICES',
      'TRACKS_RATE_LIMIT',
      'TITLE_TIME_ZONE',
      'SECRET_KEY',
      'TRUSTED_PROXIES',
      'LOG_LEVEL',
    ]) {
      assert.match(stderr, new RegExp(`^ *${name} must `, 'm'))
    }
    for (const secret of ['hunter2', 'too short']) assert.equal(stderr.includes(secret), false)
    assert.equal(existsSync(dataDir), false)
  })

  test('a port in use ends the start with a message and exit code 1', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'settings-'))
    const other = createServer().listen(0, '127.0.0.1')
    t.after(() => {
      other.close()
      rmSync(folder, { recursive: true })
    })
    await new Promise((resolve) => other.once('listening', resolve))
    const { port } = other.address() as AddressInfo

    const { exitCode, stderr } = await runProgram(PROGRAM, { DATA_DIR: folder, PORT: String(port) })
    const next = await startProcess({ DATA_DIR: folder })
    t.after(() => next.stop())

    assert.equal(exitCode, 1)
    assert.match(stderr, new RegExp(`could not start: port ${port} is in use .*set PORT to another one`))
    // A first start that fails leaves its tokens and sign-in link to the next one.
    for (const secret of [/trk_/, /pub_/, /lnk_/]) assert.match(next.output().stdout, secret)
  })
})

for (const database of oneDatabase) {
  describe(`Settings on ${database.name}`, async () => {
    const { process, request, tracks } = await startProgram({ after }, database, {
      TITLE_TIME_ZONE: 'Asia/Kathmandu',
      BASE_URL: 'https://tracks.example/api/',
      TRACKS_RATE_LIMIT: '',
    })

    test('TITLE_TIME_ZONE determines the hour in titles of start times without an offset', async () => {
      const id = await tracks.create({ start_ts: '2026-05-03T06:00:00Z' })

      assert.equal((await tracks.read(id)).title, 'Sortie du 3 mai à 11h45')
    })

    test('TRACKS_RATE_LIMIT defaults to 500 requests per second', async () => {
      assert.equal((await request('GET', '/tracks')).headers.get('ratelimit-limit'), '500')
    })

    test('BASE_URL is the address in the API description, regardless of the request', async () => {
      const answer = await fetch(`${process.url}/openapi.json`, { headers: { 'X-Forwarded-Host': 'evil.example' } })

      const { servers } = (await answer.json()) as { servers: { url: string }[] }
      assert.deepEqual(servers, [{ url: 'https://tracks.example/api' }])
    })
  })
}
