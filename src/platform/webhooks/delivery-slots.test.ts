import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type DeliverySlot, DeliverySlots } from './delivery-queue.ts'

const SILENT = Number.POSITIVE_INFINITY

describe('DeliverySlots', () => {
  test('gives one slot to an endpoint that was not asked yet, and four once it has answered', () => {
    const { slots, take, fill } = arrange()

    const [first, ...more] = fill('a')
    slots.release(first, 300)

    assert.equal(more.length, 0)
    assert.equal(fill('a').length, 4)
    assert.equal(take('a'), undefined)
  })

  test('names an endpoint as busy while it is asked for the first time', () => {
    const { slots, take } = arrange()

    const slot = take('a')!
    const asked = slots.busy().endpointIds
    slots.release(slot, undefined)

    assert.deepEqual([asked, slots.busy().endpointIds], [['a'], []])
  })

  test('gives one slot to an endpoint that did not answer, until it answers', () => {
    const { slots, fill, hear } = arrange()
    hear('a', 300)
    const four = fill('a')

    for (const slot of four) slots.release(slot, SILENT)
    const [one, ...more] = fill('a')
    slots.release(one, 300)

    assert.deepEqual([four.length, more.length, fill('a').length], [4, 0, 4])
  })

  test('keeps what it knows of an endpoint if nothing was sent', () => {
    const { slots, take, fill, hear } = arrange()
    hear('a', SILENT)

    slots.release(take('a')!, undefined)

    assert.equal(fill('a').length, 1)
  })

  test('leaves room for the good endpoints of an owner whose others do not answer', () => {
    const { slots, take, fill, hear } = arrange()
    for (let at = 0; at < 20; at++) hear(`silent ${at}`, SILENT)
    hear('good', 300)

    const silent = range(20).filter((at) => take(`silent ${at}`) !== undefined)
    const { endpointIds, ownerIds } = slots.busy()

    assert.equal(silent.length, 8)
    assert.equal(fill('good').length, 4)
    assert.deepEqual(
      [...endpointIds].sort(),
      range(20)
        .map((at) => `silent ${at}`)
        .sort(),
    )
    assert.deepEqual(ownerIds, [])
  })

  test('leaves room for good owners beside any number of slow ones', () => {
    const { fill, hear, slots } = arrange()
    for (const owner of range(10)) for (const at of range(20)) hear(`${owner}/${at}`, 14_000, `owner ${owner}`)
    hear('good', 300)

    const slow = range(200).flatMap((at) => fill(`${at % 10}/${Math.floor(at / 10)}`, `owner ${at % 10}`))

    assert.equal(slow.length, 32)
    assert.equal(slots.room, 64)
    assert.equal(fill('good').length, 4)
  })

  test('lets attempts that take long give way to others, and stops asking their endpoints for more', () => {
    const { take, fill, hear, advance, slots } = arrange()
    for (const at of range(16)) hear(`a${at}`, 300, `owner ${at % 4}`)
    const taken = range(16).flatMap((at) => fill(`a${at}`, `owner ${at % 4}`))
    const before = { room: slots.room, busy: slots.busy().ownerIds.length, other: take('other') }

    advance(2_000)
    slots.release(taken[0], SILENT)

    assert.deepEqual([taken.length, before], [64, { room: 0, busy: 4, other: undefined }])
    assert.deepEqual([slots.room, slots.busy().ownerIds], [64, []])
    assert.equal(take('a1', 'owner 1'), undefined)
    assert.ok(take('a0 of another', 'owner 0'))
  })

  test('counts a further attempt at an endpoint as slow while another takes long', () => {
    const { take, hear, advance } = arrange()
    for (let at = 0; at < 8; at++) hear(`silent ${at}`, SILENT)
    hear('late', 300)
    take('late')
    advance(2_000)

    const silent = range(8).filter((at) => take(`silent ${at}`) !== undefined)

    assert.equal(silent.length, 7)
    assert.equal(take('late'), undefined)
  })

  test('gives an owner 16 slots, and names it as busy then', () => {
    const { fill, hear, slots, take } = arrange()
    for (const at of range(5)) hear(`a${at}`, 300)

    const taken = range(5).flatMap((at) => fill(`a${at}`))

    assert.equal(taken.length, 16)
    assert.deepEqual(slots.busy().ownerIds, ['owner'])
    assert.ok(take('b', 'other owner'))
  })
})

function arrange() {
  let nowMs = 0
  const slots = new DeliverySlots(() => nowMs)
  const take = (endpoint_id: string, owner_id = 'owner') => slots.take({ endpoint_id, owner_id })
  return {
    slots,
    take,
    advance: (ms: number) => (nowMs += ms),
    /** Takes all that an endpoint gets. */
    fill(endpointId: string, ownerId?: string): DeliverySlot[] {
      const taken: DeliverySlot[] = []
      for (let slot = take(endpointId, ownerId); slot !== undefined; slot = take(endpointId, ownerId)) taken.push(slot)
      return taken
    },
    /** Has an endpoint answer, or not. */
    hear(endpointId: string, answeredAfterMs: number, ownerId?: string) {
      slots.release(take(endpointId, ownerId)!, answeredAfterMs)
    },
  }
}

function range(count: number): number[] {
  return Array.from({ length: count }, (_, at) => at)
}
