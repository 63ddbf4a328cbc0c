/**
 * Words that this program and the field's best-known example suggest. They are added to the dictionary of passwords.
 */
const SUGGESTED_WORDS = ['trackpress', 'operator', 'motdepasse', 'bienvenue', 'correcthorsebatterystaple']

/** Guesses that a password must withstand. Sign-in allows a few a minute; a stolen Argon2id hash some tens a second. */
const MIN_GUESSES = 1e9

/** Judging takes longer than linear time: 48 characters take some 0.3 s. No longer password is weaker. */
const MAX_JUDGED_CHARACTERS = 48

/**
 * Tells whether a password is among the first that attackers try: common passwords, French words, names, dates,
 * keyboard rows and series, and combinations of them. Length apart, this is the only requirement, as NIST SP 800-63B
 * (3.1.1.2) advises: no rules of composition. To be called in a thread, where it may take its time.
 */
export async function isWeakPassword([password, operatorName]: [string, string]): Promise<boolean> {
  const estimator = await loadEstimator()
  const judged = [...password].slice(0, MAX_JUDGED_CHARACTERS).join('')
  // Separators add nothing for somebody who guesses `admin-admin-admin`.
  const variants = [...new Set([judged, withoutSeparators(judged)])]
  const known = [...SUGGESTED_WORDS, operatorName, withoutSeparators(operatorName)]
  return variants.some((variant) => estimator.check(variant, known).guesses < MIN_GUESSES)
}

function withoutSeparators(text: string): string {
  return text.replace(/[\s._-]+/g, '')
}

let estimator: ReturnType<typeof importEstimator> | undefined

/**
 * Loads the dictionaries when the first password is set: 50,000 passwords, and French, which the project's own
 * interface speaks. English words are common passwords anyway, and their dictionary would double the time.
 */
function loadEstimator(): ReturnType<typeof importEstimator> {
  estimator ??= importEstimator()
  return estimator
}

async function importEstimator() {
  const { ZxcvbnFactory } = await import('@zxcvbn-ts/core')
  const { adjacencyGraphs, dictionary: passwords } = await import('@zxcvbn-ts/language-common')
  const { dictionary: french } = await import('@zxcvbn-ts/language-fr')
  const dictionary = { ...passwords, ...french }
  return new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs, maxLength: MAX_JUDGED_CHARACTERS * 2 })
}
