import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { GroupWriter } from './group-writer.ts'

describe('GroupWriter', () => {
  test('writes the first at once and what comes meanwhile together', async () => {
    const groups: number[][] = []
    let writing = 0
    const writer = new GroupWriter<number>(async (items) => {
      assert.equal(++writing, 1)
      groups.push(items)
      await new Promise(setImmediate)
      writing--
    })

    const first = writer.add(1)
    await Promise.resolve().then(() => {})
    await Promise.all([first, writer.add(2), writer.add(3)])
    await writer.add(4)

    assert.deepEqual(groups, [[1], [2, 3], [4]])
  })

  test('fails those of a group that could not be written, and goes on', async () => {
    const writer = new GroupWriter<string>(async (items) => {
      if (items.includes('bad')) throw new Error('refused')
    })

    const [bad, with_, later] = await Promise.allSettled([
      writer.add('bad'),
      writer.add('in the same group'),
      new Promise(setImmediate).then(() => writer.add('good')),
    ])

    assert.deepEqual([bad.status, with_.status, later.status], ['rejected', 'rejected', 'fulfilled'])
  })
})
