import type { PanelName, View } from '../state/reader-state.ts'

/** What buttons and keys do. */
export type Commands = {
  turn(by: 1 | -1): void
  goTo(page: number): void
  zoomIn(): void
  zoomOut(): void
  zoomReset(): void
  view(view: View): void
  /** Opens a panel, or closes it where it is open. */
  panel(name: PanelName): void
  nextHit(by: 1 | -1): void
  fullScreen(): void
  print(): void
  help(): void
  /** Closes what is open; false where nothing is. */
  close(): boolean
  downloadAddress: string
  isRightToLeft: boolean
}
