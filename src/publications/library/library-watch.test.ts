import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { Registry } from 'prom-client'
import type { Logger } from '#platform/basics/logger.ts'
import type { EncodedEvents, EventStream } from '#platform/http/event-stream.ts'
import { databases } from '../../../test/support/databases.ts'
import { makeVersion } from '../../../test/support/make-version.ts'
import { createFiguresStore } from '../figures/store.ts'
import { publicationsMigrations } from '../model/migrations.ts'
import type { PublicationsTables } from '../model/tables.ts'
import { LibraryWatch } from './library-watch.ts'

const URL = 'https://example.org'

/** A stream that records the names of its events, with the pages that are ready. */
function recordingStream() {
  const events: string[] = []
  const closing = new AbortController()
  const stream: EventStream = {
    send: (event) => events.push('bytes' in event ? describeEvent(event) : String(event.event)),
    comment: () => {},
    drained: () => undefined,
    end: () => closing.abort(),
    closed: closing.signal,
    onClose: (leave) => closing.signal.addEventListener('abort', leave),
  }
  return { stream, events }
}

function describeEvent({ bytes }: EncodedEvents): string {
  const text = bytes.toString()
  const [name] = /(?<=event: ).+/.exec(text) ?? []
  const { pages_ready } = JSON.parse(/(?<=data: ).+/.exec(text)![0]) as { pages_ready?: number }
  return pages_ready === undefined ? `${name}` : `${name} ${pages_ready}`
}

async function startWatch(t: TestContext) {
  const { db } = await databases[0].connect<PublicationsTables>(t, { migrations: publicationsMigrations })
  const workspace = { id: 'workspace', name: 'Workspace', created_at: 1, deleted_at: null }
  await db.insertInto('workspaces').values(workspace).execute()
  let isEnded = false
  const watch = new LibraryWatch(
    {
      db,
      figures: createFiguresStore(db),
      registry: new Registry(),
      addresses: { base: () => URL, public: () => URL, cdn: () => URL },
      logger: { warn: () => {} } as unknown as Logger,
      now: () => 1_000,
    },
    'workspace',
    () => {
      isEnded = true
    },
  )
  const { stream, events } = recordingStream()
  watch.join(stream)
  await until(() => events.includes('ready'))
  return { db, watch, stream, events, isEnded: () => isEnded }
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await wait(10)
}

describe('LibraryWatch', () => {
  test('sends a new publication once, and its progress until the last page', async (t) => {
    const { db, watch, events } = await startWatch(t)

    const id = await makeVersion(db)
    await until(() => events.includes('publication 0'))
    await db.updateTable('versions').set({ pages_ready: 3, has_work: 0 }).where('id', '=', id).execute()
    await until(() => events.includes('publication 3'))
    await watch.close()

    assert.deepEqual(events, ['ready', 'publication 0', 'publication 3'])
  })

  test('sends the deletion of a publication', async (t) => {
    const { db, watch, events } = await startWatch(t)
    await makeVersion(db)
    await until(() => events.includes('publication 0'))

    await db.updateTable('publications').set({ deleted_at: 2_000 }).execute()
    await until(() => events.includes('publication-deleted'))
    await watch.close()
  })

  test('ends the streams of a deleted workspace', async (t) => {
    const { db, events, stream, isEnded } = await startWatch(t)

    await db.updateTable('workspaces').set({ deleted_at: 2_000 }).execute()
    await until(isEnded)

    assert.deepEqual(events, ['ready', 'ended'])
    assert.ok(stream.closed.aborted)
  })

  test('ends when the last stream has left', async (t) => {
    const { stream, isEnded } = await startWatch(t)

    stream.end()

    await until(isEnded)
  })

  test('ends all streams when it is closed', async (t) => {
    const { watch, stream, isEnded } = await startWatch(t)

    await watch.close()

    assert.ok(stream.closed.aborted && isEnded())
  })
})
