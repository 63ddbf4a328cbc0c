import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { databases } from '../../test/support/databases.ts'
import { makeFit, makeGpxRecording, walkEast } from '../../test/support/make-recordings.ts'
import { rejection } from '../../test/support/rejection.ts'
import { runProgram } from '../../test/support/run-program.ts'
import { startService } from '../../test/support/start-service.ts'
import { readArguments } from './read-arguments.ts'

describe('npm run import', async () => {
  const service = await startService({ after }, databases[0], { services: ['tracks'] })
  const folder = await mkdtemp(join(tmpdir(), 'import-'))
  after(() => rm(folder, { recursive: true }))
  before(async () => {
    await mkdir(join(folder, 'below'))
    const fit = makeFit([{ points: walkEast(30) }])
    await writeFile(join(folder, 'a.gpx'), makeGpxRecording({ name: 'Around the lake' }))
    await writeFile(join(folder, 'below', 'b.fit.gz'), gzipSync(fit))
    await writeFile(join(folder, 'c.fit'), fit.subarray(0, -9))
    await writeFile(join(folder, 'notes.txt'), 'not a recording')
  })
  const run = (...args: string[]) =>
    runProgram('scripts/import.ts', { TRACKPRESS_TOKEN: service.token }, [...args, '--server', service.url])

  test('imports every recording of a folder, names each outcome, and fails if one failed', async () => {
    const { exitCode, stdout } = await run(folder)

    assert.deepEqual(stdout.trim().split('\n'), [
      `${folder}/a.gpx: “Around the lake”, 3 points`,
      `${folder}/below/b.fit.gz: “Sortie du 3 mai à 06h00”, 30 points`,
      stdout.trim().split('\n')[2],
      '2 files imported with 2 tracks, 0 imported before, 1 failed',
    ])
    assert.match(stdout, /c\.fit: not imported\. The file is cut short/)
    assert.equal(exitCode, 1)
  })

  test('names files that were imported before, and succeeds', async () => {
    await run(join(folder, 'a.gpx'))

    const { exitCode, stdout } = await run(join(folder, 'a.gpx'))

    assert.match(
      stdout,
      /a\.gpx: imported before, as track [0-9a-f-]{36}\n0 files imported with 0 tracks, 1 imported before, 0 failed/,
    )
    assert.equal(exitCode, 0)
  })

  test('stops with a message for a refused token, and for a path that does not exist', async () => {
    const refused = await run(join(folder, 'a.gpx'), '--token', 'trk_wrong')
    const missing = await run(join(folder, 'nothing.gpx'))

    assert.match(refused.stderr, /refuses the token/)
    assert.match(missing.stderr, /nothing\.gpx cannot be read/)
    assert.deepEqual([refused.exitCode, missing.exitCode], [1, 1])
  })
})

describe('the arguments of npm run import', () => {
  test('name files and folders, server, token, person and activity', () => {
    const args = [
      'a.gpx',
      'b',
      '--server',
      'https://x.example/',
      '--token',
      't',
      '--user',
      'anna',
      '--activity',
      'hike',
    ]

    assert.deepEqual(readArguments(args, {}), {
      paths: ['a.gpx', 'b'],
      server: 'https://x.example',
      token: 't',
      userId: 'anna',
      activityType: 'hike',
    })
    assert.equal(readArguments(['--help'], {}), undefined)
  })

  test('are refused with every mistake', async () => {
    const error = await rejection((async () => readArguments(['--fast', '--server', 'nowhere'], {}))())

    for (const mistake of [/a file or a folder is needed/, /--fast is not an option/, /--server must be/, /app token/])
      assert.match(error!.message, mistake)
  })
})
