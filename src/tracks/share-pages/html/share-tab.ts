import type { Html } from '#platform/http/server/html.ts'
import type { SharedView } from '../../schemas/shares.ts'
import type { OpenShare } from '../../share-api/open-share.ts'
import type { Formats } from './formats.ts'
import type { Texts } from './texts.ts'

/** The share, words and formats with which a tab writes its content. */
export type TabPage = { share: OpenShare; view: SharedView; texts: Texts; formats: Formats }

/** A view of a share: a part of its page with an address of its own. */
export type ShareTab = {
  /** Names the tab in texts and for the script, which replaces its content by a live view. */
  name: 'map' | 'results' | 'replay'
  /** Its address below that of the share; empty for the first. */
  path: '' | '/results' | '/replay'
  /** Tells whether the share has something to show here. */
  isOffered(share: OpenShare): Promise<boolean>
  /** Writes the content as HTML that is complete without scripts. */
  content(page: TabPage): Promise<Html>
}
