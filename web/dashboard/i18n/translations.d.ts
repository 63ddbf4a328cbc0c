/** Texts by language. The build makes this module of `web/locales`. */
declare module 'virtual:translations' {
  type Loaders = Record<string, () => Promise<{ texts: Record<string, string> }>>

  export const translations: Loaders
  /** Texts that a live map does without, where the program has any. */
  export const furtherTranslations: Loaders
}
