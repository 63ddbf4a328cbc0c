/** Shortest password, as the server has it (OWASP ASVS 2.1.1 asks for 12). */
export const MIN_PASSWORD_LENGTH = 12
