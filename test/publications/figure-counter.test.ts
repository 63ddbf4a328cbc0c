import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createLogger } from '#platform/basics/logger.ts'
import { FigureCounter } from '../../src/publications/figures/figure-counter.ts'
import { createReaderHash } from '../../src/publications/figures/readers.ts'
import { createFiguresStore, type FiguresStore } from '../../src/publications/figures/store.ts'
import { describePublications } from '../support/describe-service.ts'
import { storePublication } from '../support/store-publication.ts'

const SECRET = [Buffer.alloc(32, 7)] as const
const NIGHT_MS = Date.UTC(2026, 4, 3, 23, 59, 59)

const visitOf = (address: string) => ({
  method: 'GET',
  ip: address,
  headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0' },
})

describePublications('FigureCounter', async ({ service }) => {
  const { db } = service.server.publications!.deps

  /** An instance's counter; `clock.nowMs` may be moved. */
  function startCounter(clock = { nowMs: NIGHT_MS }, figures: FiguresStore = createFiguresStore(db)) {
    const counter = new FigureCounter({
      figures,
      readerHash: createReaderHash(figures, SECRET),
      logger: createLogger('silent'),
      now: () => clock.nowMs,
    })
    after(() => counter.close())
    return counter
  }
  const figuresOf = async (id: string) => {
    const rows = await createFiguresStore(db).find(id, '2026-01-01', '2026-12-31')
    return rows.map(({ day, kind, page, amount }) => `${day} ${kind} ${page} ${amount}`).sort()
  }

  test('counts a reader on two instances once, and both views', async () => {
    const { id } = await storePublication(service)
    const [one, other] = [startCounter(), startCounter()]

    for (const counter of [one, other, one]) counter.countView({ publicationId: id }, visitOf('192.0.2.1'))
    await Promise.all([one.close(), other.close()])

    assert.deepEqual(await figuresOf(id), ['2026-05-03 readers 0 1', '2026-05-03 views 0 3'])
  })

  test('assigns figures after midnight to the next day, even if stored together with earlier ones', async () => {
    const { id } = await storePublication(service)
    const clock = { nowMs: NIGHT_MS }
    const counter = startCounter(clock)

    counter.countView({ publicationId: id }, visitOf('192.0.2.1'))
    clock.nowMs += 2000
    counter.countView({ publicationId: id }, visitOf('192.0.2.1'))
    await counter.close()

    assert.deepEqual(await figuresOf(id), [
      '2026-05-03 readers 0 1',
      '2026-05-03 views 0 1',
      '2026-05-04 readers 0 1',
      '2026-05-04 views 0 1',
    ])
  })

  test('counts a hundred new readers of an address in an hour, and those it knows', async () => {
    const { id } = await storePublication(service)
    const clock = { nowMs: NIGHT_MS - 7_200_000 }
    const counter = startCounter(clock)
    const visit = (address: string, browser: number) => {
      const { headers, ...rest } = visitOf(address)
      counter.countView(
        { publicationId: id },
        { ...rest, headers: { 'user-agent': `${headers['user-agent']} ${browser}` } },
      )
    }
    const countReaders = async () => {
      await counter.close()
      const rows = await createFiguresStore(db).find(id, '2026-05-03', '2026-05-03')
      return rows.find(({ kind }) => kind === 'readers')?.amount
    }

    for (let browser = 0; browser < 300; browser++) visit('192.0.2.1', browser)
    const inOneHour = await countReaders()
    for (let browser = 0; browser < 10; browser++) visit('192.0.2.2', browser)
    const ofAnother = await countReaders()
    clock.nowMs += 3_600_000
    for (let browser = 0; browser < 150; browser++) visit('192.0.2.1', browser)
    const inTwoHours = await countReaders()

    assert.deepEqual([inOneHour, ofAnother, inTwoHours], [100, 110, 160])
  })

  test('counts five hundred new readers of an IPv6 site in an hour', async () => {
    const { id } = await storePublication(service)
    const counter = startCounter()

    for (let network = 0; network < 600; network++)
      counter.countView({ publicationId: id }, visitOf(`2001:db8:1:${network.toString(16)}::1`))
    counter.countView({ publicationId: id }, visitOf('2001:db8:2::1'))
    await counter.close()

    assert.deepEqual(await figuresOf(id), ['2026-05-03 readers 0 501', '2026-05-03 views 0 601'])
  })

  test('counts no more reading time of an address in an hour than a hundred readers can have', async () => {
    const { id } = await storePublication(service)
    const clock = { nowMs: NIGHT_MS - 7_200_000 }
    const counter = startCounter(clock)
    const report = (address: string) =>
      counter.countReading({ publicationId: id }, 1, { pages: [], seconds: 36_000 }, visitOf(address))
    const countSeconds = async () => {
      await counter.close()
      return (await figuresOf(id)).map((line) => line.replace('2026-05-03 seconds 0 ', ''))
    }

    for (let at = 0; at < 50; at++) report('192.0.2.1')
    const inOneHour = await countSeconds()
    report('192.0.2.2')
    const ofAnother = await countSeconds()
    clock.nowMs += 3_600_000
    report('192.0.2.1')

    assert.deepEqual([inOneHour, ofAnother, await countSeconds()], [['360000'], ['396000'], ['432000']])
  })

  test('retries figures that could not be stored, and stores them once', async () => {
    const { id } = await storePublication(service)
    const figures = createFiguresStore(db)
    let isGone = true
    const counter = startCounter(undefined, {
      ...figures,
      add: async (changes) => (isGone ? Promise.reject(new Error('the database is gone')) : figures.add(changes)),
    })

    counter.countReading({ publicationId: id }, 3, { pages: [1, 3], seconds: 9 }, visitOf('192.0.2.1'))
    await assert.rejects(counter.store(), /the database is gone/)
    counter.countReading({ publicationId: id }, 3, { pages: [3], seconds: 1 }, visitOf('192.0.2.1'))
    isGone = false
    await counter.store()
    await counter.store()

    assert.deepEqual(await figuresOf(id), ['2026-05-03 page 1 1', '2026-05-03 page 3 2', '2026-05-03 seconds 0 10'])
  })

  test('loses no figures if several instances store concurrently', async () => {
    const { id } = await storePublication(service)
    const counters = Array.from({ length: 4 }, () => startCounter())
    const pages = Array.from({ length: 1500 }, (_, at) => at + 1)

    for (const [at, counter] of counters.entries()) {
      counter.countView({ publicationId: id }, visitOf(`192.0.2.${at}`))
      counter.countReading(
        { publicationId: id },
        1500,
        { pages: at % 2 === 0 ? pages : pages.toReversed(), seconds: 1 },
        visitOf('::1'),
      )
    }
    await Promise.all(counters.map((counter) => counter.close()))

    const stored = await figuresOf(id)
    assert.equal(stored.filter((figure) => /^2026-05-03 page \d+ 4$/.test(figure)).length, 1500)
    assert.deepEqual(stored.slice(-3), ['2026-05-03 readers 0 4', '2026-05-03 seconds 0 4', '2026-05-03 views 0 4'])
  })

  test('forgets readers some time after the end of their day, and not before', async () => {
    const { id } = await storePublication(service)
    const clock = { nowMs: NIGHT_MS }
    const counter = startCounter(clock)
    counter.countView({ publicationId: id }, visitOf('192.0.2.1'))
    await counter.close()
    const readers = async () =>
      (await db.selectFrom('day_readers').select('reader').where('publication_id', '=', id).execute()).length

    clock.nowMs += 5 * 60_000
    await counter.forgetReaders()
    const soonAfter = await readers()
    clock.nowMs += 6 * 60_000
    await counter.forgetReaders()

    assert.deepEqual([soonAfter, await readers()], [1, 0])
    assert.deepEqual(await db.selectFrom('reader_salts').selectAll().where('day', '=', '2026-05-03').execute(), [])
  })
})
