/**
 * The nonce of this page's content security policy. The server puts it into the head of each response, and every style
 * that a script adds has to carry it. Read once, before any library adds a style.
 */
export const styleNonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? ''

// Dialogs stop the page behind them from scrolling by a style of their own. The
// library that adds it reads its nonce here.
Object.assign(globalThis, { __webpack_nonce__: styleNonce })
