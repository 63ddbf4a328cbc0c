import assert from 'node:assert/strict'
import { once } from 'node:events'
import { describe, test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { beforeEnd, createThreadEnd, mayEnd } from './thread-end.ts'

/** Does work without end, and counts when it begins and when it has ended. */
const THREAD = `
const { parentPort, workerData } = require('node:worker_threads')
import(workerData.module).then(({ beforeEnd }) => {
  parentPort.postMessage('begun')
  for (;;) beforeEnd(workerData.end, () => {
    Atomics.add(workerData.count, 0, 1)
    for (let i = 0; i < 1_000_000; i++) Math.sqrt(i)
    Atomics.add(workerData.count, 0, 1)
  })
})`

describe('the end of a thread', () => {
  test('comes between two works, and lets no further one begin', async () => {
    const module = new URL('./thread-end.ts', import.meta.url).href
    for (let i = 0; i < 3; i++) {
      const end = createThreadEnd()
      const count = new Int32Array(new SharedArrayBuffer(4))
      const worker = new Worker(THREAD, { eval: true, workerData: { end, count, module } })
      await once(worker, 'message')
      while (count[0] < 10) await new Promise(setImmediate)
      await mayEnd(end, 60_000)
      await worker.terminate()
      assert.equal(count[0] % 2, 0)
    }
  })

  test('waits for work that is under way, but not for ever', async () => {
    const end = createThreadEnd()
    let wasBusy: Promise<void> | undefined

    beforeEnd(end, () => {
      wasBusy = mayEnd(end, 60_000)
    })
    await wasBusy
    assert.equal(end[0], 2)

    const stuck = createThreadEnd()
    stuck[0] = 1
    await mayEnd(stuck, 10)
    assert.equal(stuck[0], 1)
  })
})
