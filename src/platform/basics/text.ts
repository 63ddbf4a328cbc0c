const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const
const STEP = 1000

/**
 * Formats a size for people: `1.2 MB`, in French `1,2 Mo`, in steps of a thousand (IEC 80000-13). Has one decimal below
 * ten and none from ten on. Also runs in the browser, so that a file has the same size everywhere.
 */
export function fileSize(bytes: number, locale: string): string {
  let step = 0
  let amount = Math.round(bytes)
  // Rounded first, so that 999,999 bytes are 1 MB instead of 1000 kB.
  while (rounded(amount) >= STEP && step < UNITS.length - 1) {
    amount /= STEP
    step += 1
  }
  return new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: UNITS[step],
    // The short form has no English plural.
    unitDisplay: step === 0 ? 'long' : 'short',
    maximumFractionDigits: digitsOf(amount),
  }).format(amount)
}

function digitsOf(amount: number): number {
  return amount < 9.95 ? 1 : 0
}

function rounded(amount: number): number {
  return Number(amount.toFixed(digitsOf(amount)))
}

/** Longest text that is read as a number. Programs that print 64 bits in full write some 60 digits. */
const MAX_LENGTH = 100

/** Takes linear time: a digit can be read in one way only. */
const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i

/**
 * Returns the number that a text writes in decimal, with or without an exponent and spaces around it; undefined for any
 * other text. `Number` would also take an empty one for 0 and `0x2d` for 45.
 */
export function readDecimal(text: string): number | undefined {
  if (text.length > MAX_LENGTH || !DECIMAL.test(text.trim())) return undefined
  const number = Number(text)
  return Number.isFinite(number) ? number : undefined
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/**
 * Tells whether a text can be an id of ours: a UUID in lower case. Anything else is not worth a query, and PostgreSQL
 * refuses some texts that an address can hold.
 */
export function isUuid(text: string): boolean {
  return UUID.test(text)
}

/** Returns text in lower case without accents; compatibility forms, such as wide letters, become ordinary ones. */
export function foldText(text: string): string {
  return withoutAccents(text).toLowerCase()
}

const MARKS = /\p{M}/gu

/** Returns text without accents and other marks, and with ordinary letters in place of compatibility forms. */
export function withoutAccents(text: string): string {
  // Accents go first: sorting them, as normalising does, takes quadratic time, 4 s for a page that consists of them.
  return text.replace(MARKS, '').normalize('NFKD').replace(MARKS, '')
}

/** Returns a LIKE pattern that finds the text anywhere, with its special characters escaped. */
export function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`
}
