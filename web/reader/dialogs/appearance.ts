import { storeText } from '../../ui/stored-text.ts'

/** Colours of the reader; undefined for the system's. */
export const THEMES = ['light', 'sepia', 'dark'] as const
type Theme = (typeof THEMES)[number]

/** Choices of the reader on this device. */
export type Appearance = { theme?: Theme; isDimmed: boolean }

/** The script in the head of the page uses this key as well. */
const STORAGE_KEY = 'reader.appearance'

/** Returns the colours of the page as they are now. */
export function currentAppearance(): Appearance {
  const { dataset, classList } = document.documentElement
  return { theme: THEMES.find((theme) => theme === dataset.theme), isDimmed: classList.contains('dimmed') }
}

/** Applies colours, and keeps them for the next visit. */
export function chooseAppearance({ theme, isDimmed }: Appearance): void {
  const { dataset, classList } = document.documentElement
  if (theme === undefined) delete dataset.theme
  else dataset.theme = theme
  classList.toggle('dimmed', isDimmed)
  storeText(STORAGE_KEY, JSON.stringify({ theme, isDimmed }))
}
