import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from '#platform/basics/logger.ts'
import type { EventStream } from '#platform/http/event-stream.ts'
import { MainThreadShare } from '#platform/jobs/main-thread-time.ts'
import { databases } from '../../../test/support/databases.ts'
import { tracksMigrations } from '../model/migrations.ts'
import type { EventRow, TrackRow, TracksTables } from '../model/tables.ts'
import { insertTrackRow, keepDetails } from '../model/track-rows.ts'
import { createFiguresCheck, methodOf } from '../statistics/current-statistics.ts'
import { EventWatch } from './event-watch.ts'
import { createPastEnds } from './track-messages.ts'
import type { Viewer } from './viewer.ts'

const NOW_MS = Date.UTC(2026, 4, 3)
const EVENT_ID = 'event'

const show: Viewer['show'] = ({ id }) => ({ id })

/** A viewer that records its events, each with the id or the reason that it carries. */
function makeViewer(options: Partial<Pick<Viewer, 'sinceMs' | 'trackId' | 'pass'>> = {}) {
  const events: string[] = []
  const closing = new AbortController()
  const record = (name: string, { id, reason }: { id?: string; reason?: string }) =>
    events.push([name, id ?? reason].filter((part) => part !== undefined).join(' '))
  const stream: EventStream = {
    send(event) {
      if (!('bytes' in event)) return void record(String(event.event), event.data as { reason?: string })
      for (const [, name, data] of event.bytes.toString().matchAll(/event: (.+)\ndata: (.+)\n/g))
        if (name !== 'as-of') record(name, JSON.parse(data))
    },
    comment: () => {},
    drained: () => undefined,
    end: () => closing.abort(),
    closed: closing.signal,
    onClose: (leave) => closing.signal.addEventListener('abort', leave),
  }
  return { viewer: { stream, show, sinceMs: undefined, trackId: undefined, ...options }, events, stream }
}

async function startWatch(t: TestContext) {
  const { db } = await databases[0].connect<TracksTables>(t, { migrations: tracksMigrations })
  await db
    .insertInto('events')
    .values({ id: EVENT_ID, name: 'Trail', created_at: 1 } as EventRow)
    .execute()
  const refreshed: string[] = []
  let isEnded = false
  const watch = new EventWatch({
    db,
    logger: { warn: () => {} } as unknown as Logger,
    eventId: EVENT_ID,
    now: () => NOW_MS,
    refreshStatistics: (rows) => void refreshed.push(...rows.map(({ id }) => id)),
    pastEnds: createPastEnds(),
    delayedTracks: async (rows) => [...rows],
    delayedTails: async () => new Map(),
    hasCurrentFigures: createFiguresCheck(50),
    delaySec: 0,
    share: new MainThreadShare(),
    onEnd: () => {
      isEnded = true
    },
  })

  async function addTrack(id: string, updatedAtMs: number, columns: Partial<TrackRow> = {}): Promise<void> {
    const row = {
      id,
      event_id: EVENT_ID,
      device_track_id: id,
      title: '',
      activity_type: 'run',
      state: 'running',
      start_ms: updatedAtMs,
      pauses: '[]',
      revision: 0,
      point_count: 0,
      loose_chunks: 0,
      created_at: updatedAtMs,
      updated_at: updatedAtMs,
      coarse_updated_at: updatedAtMs,
      to_compact: 1,
      computed_revision: 0,
      computed_method: methodOf(50),
      computed_stats: '{}',
      ...columns,
    } as TrackRow
    // With its details at once, as it is stored: a poll between them would find a track without figures.
    await db.transaction().execute(async (transaction) => await insertTrackRow(transaction, row))
  }

  /** Joins a viewer and waits until it has its snapshot. It leaves with the test. */
  async function join(options?: Parameters<typeof makeViewer>[0]) {
    const made = makeViewer(options)
    t.after(() => made.stream.end())
    watch.join(made.viewer)
    await until(() => made.events.includes('ready'))
    return made
  }

  return { db, watch, refreshed, addTrack, join, isEnded: () => isEnded }
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await wait(5)
}

describe('EventWatch', () => {
  test('is behind while changes cannot be read, and not before or afterwards', async (t) => {
    const { db, watch, join } = await startWatch(t)
    const unwatchedMs = watch.lagMs
    const { stream } = await join()
    await db.schema.alterTable('deleted_tracks').renameTo('away').execute()
    const sinceMs = performance.now()
    while (performance.now() - sinceMs < 400) {
      watch.check()
      await wait(20)
    }
    const behindMs = watch.lagMs

    await db.schema.alterTable('away').renameTo('deleted_tracks').execute()
    watch.check()
    await until(() => watch.lagMs < 400)
    stream.end()
    await until(() => watch.lagMs === 0)

    assert.equal(unwatchedMs, 0)
    assert.ok(behindMs >= 400, `${behindMs}`)
  })

  test('sends a snapshot, then `ready`, then each new track once', async (t) => {
    const { watch, refreshed, addTrack, join } = await startWatch(t)
    await addTrack('first', NOW_MS)

    const { events } = await join()
    await addTrack('second', NOW_MS + 1)
    watch.check()
    await until(() => events.includes('track second'))
    watch.check()
    await addTrack('third', NOW_MS + 2)
    watch.check()
    // A viewer may have an event before the task for its figures is noted.
    await until(() => events.includes('track third') && refreshed.length > 2)

    assert.deepEqual(events, ['track first', 'ready', 'track second', 'track third'])
    assert.deepEqual(refreshed, ['first', 'second', 'third'])
  })

  test('sends a track again, once, when its figures have been computed', async (t) => {
    const { db, watch, refreshed, addTrack, join } = await startWatch(t)
    await addTrack('synced', NOW_MS, { computed_revision: null })
    const { events } = await join()
    watch.check()
    await until(() => refreshed.length > 1)
    assert.deepEqual(events, ['track synced', 'ready'])

    await keepDetails(db, 'synced', { computed_revision: 0, computed_stats: '{"distance_meters":7}' })
    watch.check()
    await until(() => events.length > 2)
    await addTrack('later', NOW_MS + 1)
    watch.check()
    await until(() => events.includes('track later'))

    assert.deepEqual(events, ['track synced', 'ready', 'track synced', 'track later'])
  })

  test('waits for figures that were computed with another limit of the accuracy', async (t) => {
    const { db, watch, refreshed, addTrack, join } = await startWatch(t)
    await addTrack('old', NOW_MS, { computed_method: methodOf(0) })
    const { events } = await join()
    watch.check()
    await until(() => refreshed.length > 1)

    await keepDetails(db, 'old', { computed_method: methodOf(50), computed_stats: '{"distance_meters":7}' })
    watch.check()
    await until(() => events.length > 2)

    assert.deepEqual(events, ['track old', 'ready', 'track old'])
  })

  test('sends a viewer that reconnects what changed while it was away', async (t) => {
    const { addTrack, join } = await startWatch(t)
    await addTrack('old', NOW_MS - 60_000)
    await addTrack('new', NOW_MS)

    const { events } = await join({ sinceMs: NOW_MS - 30_000 })

    assert.deepEqual(events, ['track new', 'ready'])
  })

  test('sends a viewer of one track that track alone', async (t) => {
    const { watch, addTrack, join } = await startWatch(t)
    await addTrack('own', NOW_MS)
    const [all, own] = [await join(), await join({ trackId: 'own' })]

    await addTrack('foreign', NOW_MS + 1)
    watch.check()
    await until(() => all.events.includes('track foreign'))

    assert.deepEqual(own.events, ['track own', 'ready'])
  })

  test('makes one snapshot for viewers who come together', async (t) => {
    const { refreshed, addTrack, join } = await startWatch(t)
    await addTrack('first', NOW_MS)

    const viewers = await Promise.all([join(), join(), join()])

    assert.deepEqual(
      viewers.map(({ events }) => events),
      Array(3).fill(['track first', 'ready']),
    )
    assert.deepEqual(refreshed, ['first'])
  })

  test('skips a viewer that reads slowly, and sends it the newest state once it has read', async (t) => {
    const { watch, addTrack, join } = await startWatch(t)
    const [fast, slow] = [await join(), await join()]
    const { promise: drained, resolve: read } = Promise.withResolvers<void>()
    slow.stream.drained = () => drained
    await addTrack('first', NOW_MS)
    watch.check()
    await until(() => fast.events.includes('track first'))
    await addTrack('second', NOW_MS + 1)
    watch.check()
    await until(() => fast.events.includes('track second'))
    assert.deepEqual(slow.events, ['ready'])

    slow.stream.drained = () => undefined
    read()

    await until(() => slow.events.filter((event) => event === 'ready').length === 2)
    assert.deepEqual(slow.events, ['ready', 'track first', 'track second', 'ready'])
  })

  test('sends no more to a viewer that catches up too slowly, but lets it join again once it has read', async (t) => {
    const { watch, addTrack, join } = await startWatch(t)
    await addTrack('first', NOW_MS)
    const fast = await join()
    const slow = makeViewer()
    t.after(() => slow.stream.end())
    const unread = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    slow.stream.drained = () => unread[0].promise
    watch.join(slow.viewer)
    await until(() => slow.events.includes('track first'))
    await addTrack('second', NOW_MS + 1)
    watch.check()
    await until(() => fast.events.includes('track second'))

    slow.stream.drained = () => unread[1].promise
    unread[0].resolve()
    await until(() => slow.events.includes('ready'))
    assert.deepEqual(slow.events, ['track first', 'ready'])

    slow.stream.drained = () => undefined
    unread[1].resolve()
    await until(() => slow.events.filter((event) => event === 'ready').length === 2)
    assert.deepEqual(slow.events.slice(2), ['track first', 'track second', 'ready'])
  })

  test('sends the deletion of a track once', async (t) => {
    const { db, watch, addTrack, join } = await startWatch(t)
    const { events } = await join()

    await db.insertInto('deleted_tracks').values({ event_id: EVENT_ID, track_id: 'gone', deleted_at: NOW_MS }).execute()
    watch.check()
    await until(() => events.includes('track-deleted gone'))
    await addTrack('later', NOW_MS + 1)
    watch.check()
    await until(() => events.includes('track later'))

    assert.deepEqual(events, ['ready', 'track-deleted gone', 'track later'])
  })

  test('ends the streams of a deleted event', async (t) => {
    const { db, watch, join, isEnded } = await startWatch(t)
    const { events, stream } = await join()

    await db.updateTable('events').set({ deleted_at: NOW_MS }).execute()
    watch.check()
    await until(isEnded)

    assert.deepEqual(events, ['ready', 'ended deleted'])
    assert.ok(stream.closed.aborted)
  })

  test('ends the streams whose pass has ended, and no others', async (t) => {
    const { watch, join } = await startWatch(t)
    let reason: 'revoked' | undefined
    const pass = { key: 'share', endedBy: async () => reason }
    const [operator, first, second] = [await join(), await join({ pass }), await join({ pass })]

    reason = 'revoked'
    watch.check()
    await until(() => second.stream.closed.aborted)

    assert.deepEqual([first.events, second.events], Array(2).fill(['ready', 'ended revoked']))
    assert.deepEqual([operator.events, operator.stream.closed.aborted], [['ready'], false])
  })

  test('stops when the last viewer has left', async (t) => {
    const { join, isEnded } = await startWatch(t)
    const [first, second] = [await join(), await join()]

    first.stream.end()
    await wait(20)
    assert.equal(isEnded(), false)
    second.stream.end()

    await until(isEnded)
  })
})
