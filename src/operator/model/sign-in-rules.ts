export const MAX_NAME_LENGTH = 100

/** Matches one line that begins and ends with a visible character. */
export const OPERATOR_NAME_PATTERN = '^[^\\s\\p{Cc}](?:[^\\p{Cc}\\u2028\\u2029]*[^\\s\\p{Cc}])?$'

const operatorName = new RegExp(OPERATOR_NAME_PATTERN, 'u')

/** Tells whether a text is a valid name of an operator. */
export function isOperatorName(text: string): boolean {
  return [...text].length <= MAX_NAME_LENGTH && operatorName.test(text)
}

/**
 * Returns the form in which names are compared: without case, and with letters that look the same unified (Unicode
 * NFKC).
 */
export function operatorNameKey(name: string): string {
  return name.normalize('NFKC').toLowerCase().normalize('NFKC')
}

/**
 * Length limits of a password, for the server and the dashboard. OWASP ASVS 2.1.1 requires 12 characters, because
 * shorter passwords are bound to be guessed. More than 200 add nothing to a hash of 256 bits.
 */
export const MIN_PASSWORD_LENGTH = 12
export const MAX_PASSWORD_LENGTH = 200

/** Limits on failures to sign in. */
export type BackoffRule = {
  /** Number of failures without a pause. */
  free: number
  /** Pause after the free failures. Each further failure doubles it, up to `maxPauseMs`. */
  firstPauseMs: number
  maxPauseMs: number
  /** Time without a failure after which all failures are forgotten. */
  forgetAfterMs: number
}

/** Number of failures of one caller, and the time of the last one. */
export type Failures = { count: number; lastMs: number }

/** Returns the time that a caller still has to wait; 0 if an attempt is allowed. */
export function backoffMs(rule: BackoffRule, failures: Failures | undefined, nowMs: number): number {
  const { free, firstPauseMs, maxPauseMs } = rule
  if (failures === undefined || isForgotten(rule, failures, nowMs) || failures.count < free) return 0
  const pauseMs = Math.min(maxPauseMs, firstPauseMs * 2 ** (failures.count - free))
  // A clock that was set back must not make the pause longer.
  return Math.max(0, Math.min(pauseMs, failures.lastMs + pauseMs - nowMs))
}

/** Counts one more failure. */
export function addFailure(rule: BackoffRule, failures: Failures | undefined, nowMs: number): Failures {
  const before = failures === undefined || isForgotten(rule, failures, nowMs) ? 0 : failures.count
  return { count: before + 1, lastMs: nowMs }
}

function isForgotten({ forgetAfterMs }: BackoffRule, { lastMs }: Failures, nowMs: number): boolean {
  return nowMs - lastMs >= forgetAfterMs
}
