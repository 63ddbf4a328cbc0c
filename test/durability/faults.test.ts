import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { databases } from '../support/databases.ts'
import { ownerWithEnd } from './faults/fault-installation.ts'
import { FAULTS } from './faults/list-faults.ts'
import { runFaults } from './faults/run-faults.ts'
import { seededRandom } from './seeded-random.ts'

const isLeftOut = !databases.some(({ name }) => name === 'PostgreSQL')

/** A few of the faults of `npm run faults`, each for a short time. */
const QUICK = ['Instances killed one after the other', 'PostgreSQL killed']

describe('two instances behind a balancer', { skip: isLeftOut && 'left out' }, () => {
  test('lose, repeat and damage nothing when instances, connections and the database fail under load', async (t) => {
    const owner = ownerWithEnd()
    t.after(() => owner.end())
    const faults = FAULTS.filter(({ name }) => QUICK.includes(name))

    const { outcomes, points, publications } = await runFaults(owner, seededRandom(t), {
      instances: 2,
      faults,
      holdMs: 1_000,
      // Requests succeed again some tenths of a second after a fault.
      calmMs: 700,
      phones: 3,
      publishers: 1,
      // The load lasts as long as instances take to start.
      restMs: 50,
    })

    assert.equal(outcomes.length, QUICK.length)
    assert.ok(points > 0 && publications > 0)
    for (const { name, requests, failed, recoveryMs } of outcomes)
      t.diagnostic(`${name}: ${failed} of ${requests} requests failed, the last ${recoveryMs | 0} ms after the fault`)
  })
})
