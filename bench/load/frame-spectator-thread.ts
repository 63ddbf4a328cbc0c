import { once } from 'node:events'
import { parentPort, workerData } from 'node:worker_threads'
import { watchFrames } from '../../clients/typescript/src/live/watch-frames.ts'

// The thread of a spectator: what it reads and decodes takes no time of the thread that times the phones.

const { url, token } = workerData as { url: string; token: string }
const ending = new AbortController()
const seenAtMs = new Map<string, number>()

const left = once(parentPort!, 'message').then(() => ending.abort())
for await (const event of watchFrames({ baseUrl: url, shareToken: token, signal: ending.signal })) {
  if (event.name !== 'frame') throw new Error('The spectator lost its connection.')
  const nowMs = performance.timeOrigin + performance.now()
  if (seenAtMs.size === 0) parentPort!.postMessage('begun')
  for (const { id, timeMs } of event.frame.changed) {
    const name = `${id} ${timeMs}`
    if (!seenAtMs.has(name)) seenAtMs.set(name, nowMs)
  }
}
await left
parentPort!.postMessage(seenAtMs)
