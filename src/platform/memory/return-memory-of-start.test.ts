import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { getHeapSpaceStatistics } from 'node:v8'
import { returnMemoryOfStart } from './return-memory-of-start.ts'

const spaceForNewObjects = () =>
  getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')!.physical_space_size

/** Lets the space for new objects grow, which takes objects that outlive it. */
function load(): void {
  const kept: object[] = []
  for (let count = 0; count < 1_000_000; count++) kept.push({ count })
}

test('an idle process returns the space for new objects that its start needed', async () => {
  load()
  const needed = spaceForNewObjects()

  returnMemoryOfStart(20)

  while (spaceForNewObjects() > needed / 2) await wait(20)
  assert.ok(spaceForNewObjects() < needed / 2)
})
