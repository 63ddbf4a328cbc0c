import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { threadPool } from './thread-pool.ts'

test('a thread that cannot start fails its tasks, and the next task tries again', { timeout: 60_000 }, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'thread-pool-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const worker = join(folder, 'worker.mjs')
  writeFileSync(worker, "throw new Error('too many open files')")
  const pool = threadPool<number, number>(pathToFileURL(worker), { run: 'double', maxThreads: 1, idleMs: 1000 })
  t.after(() => pool.destroy())

  const failed = await Promise.allSettled([pool.run(1), pool.run(2)])
  writeFileSync(worker, 'export const double = (value) => 2 * value')
  const result = await pool.run(3)

  assert.deepEqual(
    failed.map((each) => each.status === 'rejected' && [each.reason.code, each.reason.cause.message]),
    Array(2).fill(['UNAVAILABLE', 'too many open files']),
  )
  assert.equal(result, 6)
})
