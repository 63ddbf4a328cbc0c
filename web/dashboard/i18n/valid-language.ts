/**
 * Chromium on a Linux without a locale says that its language is `en-US@posix`. That is no language tag: the charts,
 * which make a format of it when they load, would take their page with them.
 */
function replaceInvalidLanguage(): void {
  try {
    Intl.getCanonicalLocales(navigator.language)
  } catch {
    Object.defineProperty(navigator, 'language', { value: 'en-US', configurable: true })
  }
}

replaceInvalidLanguage()
