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
