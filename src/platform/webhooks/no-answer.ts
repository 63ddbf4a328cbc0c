/**
 * Reasons why a message got no answer, in the words that the log of a webhook stores and the API shows. Pages find the
 * reason by its words, and say it in their own language.
 */
const NO_ANSWER_TEXTS = {
  refused: 'The connection was refused.',
  closed: 'The connection was closed without an answer.',
  unreachable: 'The host cannot be reached.',
  connectTimeout: 'The connection timed out.',
  notFound: 'The host name was not found.',
  notLookedUp: 'The host name could not be looked up.',
  tlsFailed: 'The TLS connection failed.',
  otherName: 'The certificate is for another name.',
  certificateExpired: 'The certificate has expired.',
  selfSigned: 'The certificate is self-signed.',
  chainIncomplete: 'The certificate cannot be verified. An intermediate certificate may be missing.',
  issuerUnknown: 'The certificate cannot be verified. Its issuer is unknown.',
  addressRefused: 'The URL leads to an address that is not allowed.',
  stopped: 'The server stopped before there was an answer.',
  secretUnreadable:
    'The signing secret cannot be read, because SECRET_KEY has changed and the former secret is not among SECRET_KEY_FALLBACKS.',
  notMade: "The data of the message could not be made. The server's log has the reason.",
  removed: 'The content of this delivery was removed with what it is about.',
  tooLate: 'There was no answer within {{value}} seconds.',
  notHttp: 'The answer is not HTTP ({{value}}).',
  other: 'The request failed ({{value}}).',
} as const

export type NoAnswerReason = keyof typeof NO_ANSWER_TEXTS

/** Reasons of which pages have texts. */
export const NO_ANSWER_REASONS = Object.keys(NO_ANSWER_TEXTS) as NoAnswerReason[]

const VALUE = '{{value}}'

/** Returns the words for a reason. Some have a value: a number of seconds, or a code. */
export function noAnswerText(reason: NoAnswerReason, value = ''): string {
  return NO_ANSWER_TEXTS[reason].replace(VALUE, value)
}

/** Finds the reason that words stand for, and its value. Undefined for words of another origin. */
export function readNoAnswer(text: string): { reason: NoAnswerReason; value: string } | undefined {
  for (const reason of NO_ANSWER_REASONS) {
    const [start, end] = NO_ANSWER_TEXTS[reason].split(VALUE)
    if (end === undefined ? text === start : text.startsWith(start) && text.endsWith(end)) {
      return { reason, value: end === undefined ? '' : text.slice(start.length, -end.length) }
    }
  }
  return undefined
}
