import { askEarly, askFramesEarly } from '../dashboard/api/early-answers.ts'
import type { Share } from './share.ts'

/** Asks for the first data of the live map, while its program has yet to come. */
export function askForShare({ token, view, hasCourse }: Share): void {
  const share = `/shares/${encodeURIComponent(token)}`
  askFramesEarly(`${share}/frames`)
  askEarly(`${share}/tracks?limit=500`)
  if (view.kind !== 'event') return
  if (hasCourse) askEarly(`${share}/course`)
  askEarly(`${share}/ranking`)
}
