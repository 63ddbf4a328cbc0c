import type { PanelName, View } from '../state/reader-store.ts'

/** The actions behind buttons and keys. */
export type Commands = {
  turn(by: 1 | -1): void
  /** Resolves once the page is there. */
  goTo(page: number): Promise<void>
  /** Moves the focus to the page being read. */
  focusPage(): void
  zoomIn(): void
  zoomOut(): void
  zoomReset(): void
  view(view: View): void
  /** Switches between the images and the text of the pages. */
  toggleText(): void
  /** Opens a panel, or closes it if it is open. */
  panel(name: PanelName): void
  nextHit(by: 1 | -1): void
  fullScreen(): void
  print(): void
  help(): void
  /** Closes the open panel or search; false if neither was open. */
  close(): boolean
  downloadAddress: string
  isRightToLeft: boolean
}
