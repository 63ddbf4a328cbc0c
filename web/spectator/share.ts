import type { SharedView } from '../../src/tracks/shares/schemas.ts'
import { askEarly, askFramesEarly } from '../dashboard/api/early-answers.ts'

/** The share that a page shows, as the server wrote it into the page. */
export type Share = {
  token: string
  view: SharedView
  /** The view that the page shows of it. */
  tab: TabName
  /** True if the event had a course when the page was written. */
  hasCourse: boolean
}

/** The tabs of a share's page, by their names on the server. */
type TabName = 'map' | 'results' | 'replay'

/**
 * A tab's live view. It calls `onReady` once it shows at least the content of the page's HTML, which is then removed.
 */
export type TabProps = { share: Share; onReady(): void }

/** Reads the share from the page and its address. */
export function readShare(): Share {
  const token = decodeURIComponent(location.pathname.split('/')[2])
  const view = JSON.parse(document.getElementById('share')!.textContent!) as SharedView
  const { tab, course } = document.body.dataset
  return { token, view, tab: tab as TabName, hasCourse: course !== undefined }
}

/** Asks for the first data of the live map, while its program has yet to come. */
export function askForShare({ token, view, hasCourse }: Share): void {
  const share = `/shares/${encodeURIComponent(token)}`
  askFramesEarly(`${share}/frames`)
  askEarly(`${share}/tracks?limit=500`)
  if (view.kind !== 'event') return
  if (hasCourse) askEarly(`${share}/course`)
  askEarly(`${share}/ranking`)
}
