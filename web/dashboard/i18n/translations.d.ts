/**
 * Texts by language. English is among them where the program has none itself. The build makes this module of
 * `web/locales`.
 */
declare module 'virtual:translations' {
  export const translations: Record<string, () => Promise<{ texts: Record<string, string> }>>
}
