import type { PanelName, View } from '../state/reader-store.ts'

/** The actions behind buttons and keys. */
export type Commands = {
  turn(by: 1 | -1): void
  goTo(page: number): void
  zoomIn(): void
  zoomOut(): void
  zoomReset(): void
  view(view: View): void
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
