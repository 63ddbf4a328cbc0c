import { type Html, html } from '#platform/http/server/html.ts'
import { formatDateTime } from '#platform/time/date-time.ts'
import type { TabPage } from './share-tab.ts'

/** Writes the time of the state that is shown, in the event's zone, with a link that reloads it. */
export function asOfLine({ texts, formats, view }: TabPage, asOfMs: number): Html {
  const delaySec = view.event.spectator_delay_sec
  const delay = delaySec > 0 ? html` <span class="delay">${texts.delayed(delaySec)}</span>` : ''
  const time = formats.time(asOfMs, asOfMs)
  return html`<p class="as-of"><time datetime="${formatDateTime(asOfMs)}">${texts.asOf(time, formats.zone(asOfMs))}</time>${delay} <a href="">${texts.reload}</a></p>`
}
