import { html } from '#platform/http/server/html.ts'
import type { ShareTab } from '../html/share-tab.ts'

/**
 * Creates the tab in which the script plays a shared event again. Motion cannot be told as HTML, and the results can.
 */
export function replayTab(): ShareTab {
  return {
    name: 'replay',
    path: '/replay',
    isOffered: async ({ track_id }) => track_id === null,
    content: async ({ texts }) => html`<p>${texts.replayFollows}</p><noscript><p>${texts.replayHelp}</p></noscript>`,
  }
}
