/**
 * Length limits of a password, for the server and the dashboard. OWASP ASVS 2.1.1 requires 12 characters, because
 * shorter passwords are bound to be guessed. More than 200 add nothing to a hash of 256 bits.
 */
export const MIN_PASSWORD_LENGTH = 12
export const MAX_PASSWORD_LENGTH = 200
