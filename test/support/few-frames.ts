import type { Page } from 'playwright-core'

/**
 * Requests of a frame wait for the next tenth of a second, and are granted together, as the browser grants them.
 */
const FEW_FRAMES = `{
  const EVERY_MS = 100
  const { requestAnimationFrame: request, cancelAnimationFrame: cancel } = globalThis
  const waiting = new Map()
  let last = 0
  globalThis.requestAnimationFrame = (callback) => {
    const id = ++last
    const granted = (ms) => {
      waiting.delete(id)
      callback(ms)
    }
    const ask = () => waiting.set(id, [cancel, request(granted)])
    waiting.set(id, [clearTimeout, setTimeout(ask, EVERY_MS - (performance.now() % EVERY_MS))])
    return id
  }
  globalThis.cancelAnimationFrame = (id) => {
    const [end, handle] = waiting.get(id) ?? []
    waiting.delete(id)
    end?.call(globalThis, handle)
  }
}`

/** Lets the documents that a page opens from now on draw ten frames a second: maps are drawn by the processor. */
export async function drawFewFrames(page: Page): Promise<void> {
  await page.addInitScript(FEW_FRAMES)
}
