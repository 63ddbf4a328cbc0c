import { randomBytes } from 'node:crypto'
import { tokenHash } from '#platform/tokens/token.ts'

const RECOVERY_CODE_COUNT = 10

/** 80 random bits. So a plain hash suffices: at 10¹² guesses a second, trying all would take 38,000 years. */
const CHARACTERS = 16
const GROUP = 4

/** Base32 in the order of Crockford, without letters that are easily taken for digits or for each other. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'

/** Returns new codes to write down: `k3vd-0q7w-…`. Each opens the account once, in place of the second factor. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODE_COUNT }, () => {
    const characters = [...randomBytes(CHARACTERS)].map((byte) => ALPHABET[byte % ALPHABET.length]).join('')
    return characters.match(new RegExp(`.{${GROUP}}`, 'g'))!.join('-')
  })
}

/**
 * Returns the hash under which a code of an operator is stored, also if the code was typed without hyphens, in
 * capitals, or with letters that look like the right ones. Undefined for a text that is no recovery code.
 */
export function recoveryCodeHash(operatorId: string, text: string): string | undefined {
  const code = text.toLowerCase().replace(/[\s-]/g, '').replaceAll('o', '0').replace(/[il]/g, '1')
  const isCode = code.length === CHARACTERS && [...code].every((character) => ALPHABET.includes(character))
  return isCode ? tokenHash(`${operatorId} ${code}`) : undefined
}
