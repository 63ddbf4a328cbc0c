/** Texts in languages other than English, by language. The build makes this module of `web/locales`. */
declare module 'virtual:translations' {
  export const translations: Record<string, () => Promise<{ texts: Record<string, string> }>>
}
