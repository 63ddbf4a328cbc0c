import { type LoadedPages, pageOf } from '../document/loaded-pages.ts'
import type { ReaderData } from '../document/reader-state.ts'
import { request } from '../document/request-failure.ts'
import { giveAddress } from './page-image.ts'

/** The server issues addresses for five minutes at least. */
const RENEW_AFTER_MS = 240_000
const LOOK_EVERY_MS = 15_000

/** Renews the addresses of images that end within minutes, for as long as somebody reads. */
export function renewAddresses(data: ReaderData, pages: LoadedPages): void {
  const { images: list } = data
  if (list === undefined) return
  let renewedMs = Date.now()
  let isAsking = false

  async function renew(address: string): Promise<void> {
    const response = await request(address)
    const { images } = (await response.json()) as { images: string[] }
    renewedMs = Date.now()
    for (const section of pages.sections()) giveAddress(section, images[pageOf(section) - 1])
  }

  function look(): void {
    if (isAsking || document.hidden || Date.now() - renewedMs < RENEW_AFTER_MS) return
    isAsking = true
    // Without an answer, pages on the screen stay, and the next look asks again.
    void renew(list!)
      .catch(() => {})
      .finally(() => {
        isAsking = false
      })
  }

  setInterval(look, LOOK_EVERY_MS)
  document.addEventListener('visibilitychange', look)
}
