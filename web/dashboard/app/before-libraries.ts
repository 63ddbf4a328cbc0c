// Settings that libraries read when they are loaded or first used: a page imports this file before any of them.

/**
 * The nonce of this page's content security policy. The server puts it into the head of each response, and every style
 * that a script adds has to carry it.
 */
export const styleNonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? ''

// Dialogs stop the page behind them from scrolling by a style of their own. The
// library that adds it reads its nonce here.
Object.assign(globalThis, { __webpack_nonce__: styleNonce })
replaceInvalidLanguage()

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
