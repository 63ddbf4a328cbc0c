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
