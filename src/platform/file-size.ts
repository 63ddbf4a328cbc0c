const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const
const STEP = 1000

/**
 * A size as people say it: `1.2 MB`, in French `1,2 Mo`, in steps of a thousand (IEC 80000-13). One digit behind the
 * point below ten, none from there on. Runs in the browser, too, so that a file has one size wherever it is named.
 */
export function fileSize(bytes: number, locale: string): string {
  let step = 0
  let amount = Math.round(bytes)
  // Rounded first: 999 999 bytes are 1 MB, and not 1000 kB.
  while (rounded(amount) >= STEP && step < UNITS.length - 1) {
    amount /= STEP
    step += 1
  }
  return new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: UNITS[step],
    // In the short form English has no plural of it.
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
