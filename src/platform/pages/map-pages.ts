import type { FrameAncestors } from './page-headers.ts'

/** Policy and settings of a page with a map. */
export type MapPage = {
  /** Returns the content security policy of the page. Inline styles carry the nonce. */
  contentSecurityPolicy(nonce: string, frames: FrameAncestors): string
  /** Returns the values that the scripts of maps read from `<meta>` elements, by their names. */
  metaValues(nonce: string): Record<string, string>
}

/** Pages with a map, from the service that knows where maps come from. */
export type MapPages = {
  /**
   * Returns the settings of a page for the map that operators have chosen; to be called for each page that is sent.
   * Never rejects.
   */
  forPage(): Promise<MapPage>
}
