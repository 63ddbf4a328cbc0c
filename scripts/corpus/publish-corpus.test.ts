import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { encrypted, numberedPages } from '../../test/support/make-pdf-examples.ts'
import { failuresOf } from './corpus-report.ts'
import { publishCorpus } from './publish-corpus.ts'
import type { CorpusOptions } from './read-arguments.ts'

const folder = mkdtempSync(join(tmpdir(), 'corpus-test-'))
after(() => rmSync(folder, { recursive: true }))
mkdirSync(join(folder, 'more'))
const files: [name: string, content: Buffer | string][] = [
  ['three pages.pdf', numberedPages(3)],
  ['more/a#?%é.PDF', numberedPages(1)],
  ['locked.pdf', encrypted()],
  ['empty.pdf', ''],
  ['text.pdf', 'Some text, and no PDF.'],
]
for (const [name, content] of files) writeFileSync(join(folder, name), content)

async function publish(given: Partial<CorpusOptions> = {}, signal = new AbortController().signal) {
  let progress = ''
  const options = { folder, server: undefined, apiKey: undefined, atOnce: 2, stuckAfterSec: 60, ...given }
  const terminal = {
    write: (text: string) => {
      progress += text
    },
  }
  const run = await publishCorpus(options, terminal, signal)
  return { run, progress }
}

describe('publishCorpus', () => {
  test('publishes every PDF on a temporary server, and reports each result', async () => {
    const { run, progress } = await publish()

    assert.deepEqual(
      run.outcomes.map(({ name, kind }) => [name, kind]),
      [
        ['empty.pdf', 'refused'],
        ['locked.pdf', 'refused'],
        ['more/a#?%é.PDF', 'ready'],
        ['text.pdf', 'refused'],
        ['three pages.pdf', 'ready'],
      ],
    )
    assert.deepEqual(failuresOf(run), [])
    assert.ok(run.answers.count > 0)
    assert.ok(run.peakMemoryBytes! > 10_000_000)
    assert.match(progress, /^5 of 5 files, 2 ready\.$/m)
  })

  test('refuses to start without a PDF, a folder or a server', async () => {
    const empty = join(folder, 'empty')
    mkdirSync(empty)

    await assert.rejects(publish({ folder: empty }), { name: 'PublishError', message: /^There is no PDF in/ })
    await assert.rejects(publish({ folder: join(folder, 'none') }), { message: /none cannot be read \(ENOENT\)$/ })
    await assert.rejects(publish({ server: 'http://no-such-host.invalid', apiKey: 'pub_a' }), /Nothing answers at/)
  })

  test('stops itself and the server on its signal', async () => {
    const stop = new AbortController()
    const published = publish({}, stop.signal)
    stop.abort()

    await assert.rejects(published, { name: 'PublishError', message: 'Stopped.' })
  })
})
