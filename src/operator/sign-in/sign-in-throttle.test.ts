import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { HashLane } from '../passwords/password-hasher.ts'
import type { FailuresStore } from '../storage/failures-store.ts'
import { createSignInThrottle } from './sign-in-throttle.ts'

/** Failures that are never counted, so that only the number of attempts at once matters. */
const uncounted: FailuresStore = {
  find: async () => undefined,
  count: async () => true,
  forgive: async () => {},
  clear: async () => {},
  removeOld: async () => {},
  removeExcess: async () => {},
}

test('addresses that try again and again leave places and a lane of their own to one that tries first', async () => {
  const throttle = createSignInThrottle(uncounted, () => 0)
  const end = Promise.withResolvers<HashLane>()
  const lanes: HashLane[] = []
  const flood = async (i: number) => {
    for (let turn = 0; turn < 5; turn++)
      await throttle
        .attempt({ address: `192.0.2.${i}` }, async (lane) => {
          lanes.push(lane)
          return turn < 4 ? Promise.reject(new Error('wrong')) : end.promise
        })
        .catch(() => {})
  }

  const flooding = Array.from({ length: 40 }, (_, i) => flood(i))
  await new Promise(setImmediate)

  assert.equal(lanes.filter((lane) => lane === 'strangers').length, 32)
  await assert.rejects(
    throttle.attempt({ address: '192.0.2.1' }, () => end.promise),
    { code: 'UNAVAILABLE' },
  )
  assert.equal(await throttle.attempt({ address: '198.51.100.1' }, async (lane) => lane), 'newcomers')
  assert.equal(await throttle.attempt({ lane: 'browser 1' }, async (lane) => lane), 'known')
  end.resolve('strangers')
  await Promise.all(flooding)
})

test('an address that signs in again and again stays a newcomer', async () => {
  const throttle = createSignInThrottle(uncounted, () => 0)
  const lanes: HashLane[] = []

  for (let turn = 0; turn < 6; turn++)
    await throttle.attempt({ address: '192.0.2.1' }, async (lane) => void lanes.push(lane))

  assert.deepEqual(new Set(lanes), new Set(['newcomers']))
})
