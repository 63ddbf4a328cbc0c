/** Words that this program and the field's best-known example suggest. They are added to the dictionary of passwords. */
const SUGGESTED_WORDS = ['trackpress', 'operator', 'motdepasse', 'bienvenue', 'correcthorsebatterystaple']

/** Guesses that a password must withstand. Sign-in allows a few a minute; a stolen Argon2id hash some tens a second. */
const MIN_GUESSES = 1e9

/** Judging takes longer than linear time: 64 characters take at most some 50 ms. No longer password is weaker. */
const MAX_JUDGED_CHARACTERS = 64

/**
 * Tells whether a password is among those tried first: common passwords, names, dates, keyboard rows and series, and
 * combinations of them. Length apart, this is all that is required, as NIST SP 800-63B (3.1.1.2) advises: no rules of
 * composition.
 */
export async function isWeakPassword(password: string, operatorName: string): Promise<boolean> {
  const estimator = await loadEstimator()
  const judged = [...password].slice(0, MAX_JUDGED_CHARACTERS).join('')
  // Separators add nothing for somebody who guesses `admin-admin-admin`.
  const variants = [judged, withoutSeparators(judged)]
  const known = [...SUGGESTED_WORDS, operatorName, withoutSeparators(operatorName)]
  return variants.some((variant) => estimator.check(variant, known).guesses < MIN_GUESSES)
}

function withoutSeparators(text: string): string {
  return text.replace(/[\s._-]+/g, '')
}

let estimator: ReturnType<typeof importEstimator> | undefined

/** Loads the dictionary, 50,000 passwords in some 130 ms, when the first password is set. Signing in does not need it. */
function loadEstimator(): ReturnType<typeof importEstimator> {
  estimator ??= importEstimator()
  return estimator
}

async function importEstimator() {
  const { ZxcvbnFactory } = await import('@zxcvbn-ts/core')
  const { adjacencyGraphs, dictionary } = await import('@zxcvbn-ts/language-common')
  return new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs, maxLength: MAX_JUDGED_CHARACTERS * 2 })
}
