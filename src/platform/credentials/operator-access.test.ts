import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isConfirmedFor, needsConfirmation, OPERATOR_EFFECTS } from './operator-access.ts'

test('a confirmation counts twelve hours for documents and the codes of participants, and ten minutes for whatever else needs one', () => {
  const lastAllowedMs = (ages: readonly number[]) =>
    OPERATOR_EFFECTS.map((effect) => [effect, ages.filter((ageMs) => isConfirmedFor(effect, 0, ageMs)).at(-1)])

  assert.deepEqual(Object.fromEntries(lastAllowedMs([0, 599_999, 600_000, 43_199_999, 43_200_000, 1e12])), {
    ...{ reads: 1e12, changes: 1e12, releases: 43_199_999, equips: 43_199_999 },
    ...{ admits: 599_999, erases: 599_999, publishes: 599_999, exports: 599_999 },
  })
  assert.deepEqual(
    OPERATOR_EFFECTS.filter((effect) => !needsConfirmation(effect)),
    ['reads', 'changes'],
  )
})
