import assert from 'node:assert/strict'
import { isIPv4 } from 'node:net'
import { test } from 'node:test'
import { addressFor, runEvent } from '../support/attack/event-load.ts'
import { held, sizes, startTarget } from '../support/attack.ts'

const { phones, everySec, spectators, durationSec } = sizes(
  { phones: 100, everySec: 4, spectators: 20, durationSec: 8 },
  { phones: Number(process.env.ATTACK_PHONES ?? 2000), everySec: 10, spectators: 300, durationSec: 60 },
)
/** Far above the delays on an idle machine, because others may use this one. */
const { phoneP99Ms, delayP99Ms } = sizes(
  { phoneP99Ms: 3_000, delayP99Ms: 10_000 },
  { phoneP99Ms: 1_000, delayP99Ms: 10_000 },
)

/** A phone's track is made before the event begins. */
const timeout = 180_000 + 20 * phones

test('a large event gets every batch answered in time, while spectators follow it', { timeout }, async (t) => {
  const target = await startTarget(t)
  const { url, token } = target
  const share = await target.share()
  const trackIds: string[] = []
  for (let at = 0; at < phones; at += 50) {
    const length = Math.min(50, phones - at)
    trackIds.push(...(await Promise.all(Array.from({ length }, () => target.tracks.create()))))
  }
  const before = target.usage()

  const load = { url, token, share, trackIds, everySec, durationSec, spectators }
  const { phoneWaitsMs, failures, delaysMs, longestGapMs, spectatorBytes } = await runEvent(load)

  const after = target.usage()
  assert.deepEqual(failures, {})
  const batches = phones * Math.ceil(durationSec / everySec)
  assert.equal(phoneWaitsMs.length, batches)
  assert.ok(delaysMs.length > batches, `spectators saw ${delaysMs.length} of 3 times ${batches} batches`)
  held(t, {
    batches: [batches, ''],
    'phones, median': [quantile(phoneWaitsMs, 0.5), 'ms'],
    'phones, p99': [quantile(phoneWaitsMs, 0.99), 'ms'],
    'phones, longest': [phoneWaitsMs.at(-1)!, 'ms'],
    'to spectators, median': [quantile(delaysMs, 0.5), 'ms'],
    'to spectators, p99': [quantile(delaysMs, 0.99), 'ms'],
    'longest gap': [longestGapMs, 'ms'],
    'sent to spectators': [spectatorBytes / 1e6 / durationSec, 'MB/s'],
    ...(before &&
      after && {
        'main thread busy': [(100 * (after.mainThreadMs - before.mainThreadMs)) / (durationSec * 1000), '%'],
        'memory at most': [after.peakRssBytes / 1_048_576, 'MiB'],
      }),
  })
  // After the figures, which tell how slow everything else was.
  assert.ok(quantile(phoneWaitsMs, 0.99) < phoneP99Ms, `phones waited ${quantile(phoneWaitsMs, 0.99)} ms`)
  assert.ok(quantile(delaysMs, 0.99) < delayP99Ms, `spectators waited ${quantile(delaysMs, 0.99)} ms`)
})

test('each client of a large event has an address, 50 the same', { skip: process.platform !== 'linux' }, () => {
  const addresses = Array.from({ length: 30_000 }, (_, at) => addressFor(1, at))

  assert.deepEqual(
    addresses.filter((address) => !isIPv4(address)),
    [],
  )
  assert.equal(new Set(addresses).size, 30_000 / 50)
})

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
}
