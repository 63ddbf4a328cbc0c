import type { Key } from '../i18n/en.ts'

/** How long tokens and keys that are replaced may live on. */
export const OVERLAPS: readonly { sec: number; key: Key }[] = [
  { sec: 0, key: 'tokens.keepNot' },
  { sec: 3600, key: 'tokens.keepHour' },
  { sec: 86_400, key: 'tokens.keepDay' },
  { sec: 7 * 86_400, key: 'tokens.keepWeek' },
  { sec: 30 * 86_400, key: 'tokens.keepMonth' },
]
