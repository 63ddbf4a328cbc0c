/**
 * Fewest and most characters of a password, for the server and its pages. With fewer (OWASP ASVS 2.1.1 asks for 12),
 * guessing is bound to succeed; more add nothing to a hash of 256 bits.
 */
export const MIN_PASSWORD_LENGTH = 12
export const MAX_PASSWORD_LENGTH = 200
