/**
 * The nonce of this page's content security policy, which the server puts into the head of each answer and every style
 * that a script adds must carry. Read once, before any library adds one.
 */
export const styleNonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? ''

// Dialogs keep the page behind them still by a style of their own; the library that adds it looks for its nonce here.
Object.assign(globalThis, { __webpack_nonce__: styleNonce })
