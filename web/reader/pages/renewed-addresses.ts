import { pageOf } from '../document/loaded-pages.ts'
import { asFailure, onGone, request } from '../document/request-failure.ts'
import { showEndOfReading } from '../messages.ts'
import { giveAddress } from './page-image.ts'
import type { ReaderDeps } from './reader-deps.ts'

/** The server issues addresses for five minutes at least. */
const RENEW_AFTER_MS = 240_000
/** Interval at which the right to read is asked for, also without turning a page. */
const LOOK_EVERY_MS = 15_000
/** Addresses that are gone again as soon as they were renewed are not renewed over and over. */
const RENEW_AGAIN_MS = 10_000

/**
 * Renews the addresses of images that end within minutes, for as long as somebody reads, and ends reading once the
 * server refuses it: after a link was revoked, or when access, the password or the end was changed.
 */
export function keepRightToRead({ data, t, pages, store }: ReaderDeps): void {
  // In a folder there is no server to ask.
  if (document.body.classList.contains('offline')) return
  const { images: list } = data
  let renewedMs = Date.now()
  let isAsking = false
  onGone(() => void ask(RENEW_AGAIN_MS))
  if (list === undefined) return
  const timer = setInterval(look, LOOK_EVERY_MS)
  document.addEventListener('visibilitychange', look)

  function look(): void {
    if (isAsking || document.hidden) return
    // Words are a small answer, and a refusal leads to the question for the addresses.
    if (Date.now() - renewedMs >= RENEW_AFTER_MS) void ask(0)
    else void request(`${data.words}${store.current.page}`, { method: 'HEAD' }).catch(() => {})
  }

  /** Asks for the addresses, or whether the publication is still there. Without an answer, all stays as it is. */
  async function ask(pauseMs: number): Promise<void> {
    if (isAsking || (list !== undefined && Date.now() - renewedMs < pauseMs)) return
    isAsking = true
    try {
      const response = await request(list ?? data.api)
      if (list === undefined) return
      const { images } = (await response.json()) as { images: string[] }
      renewedMs = Date.now()
      for (const section of pages.sections()) giveAddress(section, images[pageOf(section) - 1])
    } catch (thrown) {
      if (asFailure(thrown).reason === 'gone') end()
    } finally {
      isAsking = false
    }
  }

  function end(): void {
    clearInterval(timer)
    document.removeEventListener('visibilitychange', look)
    showEndOfReading(t)
  }
}
