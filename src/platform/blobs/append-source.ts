import { setTimeout as wait } from 'node:timers/promises'
import { translateBlobFailure } from './blob-failure.ts'
import { readSource } from './blob-store.ts'
import type { AppendOptions, PartialBlob } from './partial-blobs.ts'

/** Writes to the end of one partial file. */
export type Appender = {
  /** Time between two syncs, which is how much of an upload a crash costs. */
  readonly syncEveryMs: number
  /** Writes a chunk, and has finished with its memory when this resolves. */
  write(chunk: Uint8Array): Promise<void>
  /** Syncs everything written, and records it. */
  sync(): Promise<PartialBlob>
  close(): Promise<void>
}

/**
 * Runs `append` of a store. If the source fails, what it has sent is synced and recorded, unless it had to be
 * verified.
 */
export async function appendSource(
  source: AsyncIterable<Uint8Array>,
  appender: Appender,
  { verify, onOpen }: AppendOptions,
): Promise<PartialBlob> {
  const input = readSource(source)
  try {
    await writeAll(input.bytes, appender, { isSyncedMeanwhile: verify === undefined, onOpen })
    verify?.()
    return await appender.sync()
  } catch (error) {
    if (input.hasFailed() && verify === undefined) await appender.sync()
    throw input.failureOr(error, translateBlobFailure)
  } finally {
    await appender.close().catch(() => {})
  }
}

async function writeAll(
  bytes: AsyncGenerator<Uint8Array, void, void>,
  appender: Appender,
  { isSyncedMeanwhile, onOpen }: { isSyncedMeanwhile: boolean; onOpen: AppendOptions['onOpen'] },
): Promise<void> {
  const timers = new AbortController()
  const nextSync = () =>
    wait(appender.syncEveryMs, undefined, { signal: timers.signal, ref: false }).catch(() => undefined)
  let due = nextSync()
  let asked = Promise.withResolvers<undefined>()
  let isSynced = true
  let answered = Promise.withResolvers<void>()
  onOpen?.(() => {
    asked.resolve(undefined)
    return answered.promise
  })
  let arriving = bytes.next()
  try {
    for (;;) {
      const next = await Promise.race([arriving, due, asked.promise])
      if (next === undefined) {
        if (isSyncedMeanwhile && !isSynced) await appender.sync()
        isSynced = true
        answered.resolve()
        answered = Promise.withResolvers<void>()
        asked = Promise.withResolvers<undefined>()
        due = nextSync()
      } else if (next.done === true) return
      else {
        await appender.write(next.value)
        isSynced = false
        arriving = bytes.next()
      }
    }
  } finally {
    timers.abort()
    answered.resolve()
    // A source that is still waited for may end long after, and nobody waits for its outcome.
    arriving.catch(() => {})
    bytes.return().catch(() => {})
  }
}
