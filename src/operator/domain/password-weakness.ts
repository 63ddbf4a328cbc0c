/** Rows of keyboards and the usual series; whoever types along them has what everyone types. */
const SERIES = [
  '0123456789012345678901234567890',
  'abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz',
  'qwertyuiopasdfghjklzxcvbnmqwertyuiop',
  'azertyuiopqsdfghjklmwxcvbnazertyuiop',
  'qwertzuiopasdfghjklyxcvbnmqwertzuiop',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p',
  '1q2w3e4r5t6y7u8i9o0p',
]

/** Words that begin the lists of leaked passwords in many forms, and those that this program suggests by itself. */
const COMMON_WORDS = [
  ...['trackpress', 'operator', 'password', 'passwort', 'passw0rd', 'p@ssword', 'p@ssw0rd', 'motdepasse', 'admin'],
  ...['administrator', 'welcome', 'bienvenue', 'letmein', 'changeme', 'qwerty', 'azerty', 'iloveyou', 'jetaime'],
  ...['monkey', 'dragon', 'football', 'baseball', 'princess', 'sunshine', 'superman', 'master', 'secret', 'login'],
  ...['correcthorsebatterystaple', 'hunter2', 'default', 'summer', 'winter', 'test', 'guest', 'root', 'user'],
]

/** What has to be left of a password without the common words, its digits and its punctuation being no more than that. */
const FEWEST_OWN_CHARACTERS = 6
const FEWEST_DIFFERENT_CHARACTERS = 5

/**
 * What makes a password one that is tried first, as words for an error; undefined where nothing does. Length apart, this
 * is all that is demanded, as NIST SP 800-63B (3.1.1.2) advises: no rules of composition.
 */
export function passwordWeakness(password: string, operatorName: string): string | undefined {
  const plain = password.toLowerCase()
  if (new Set(plain).size < FEWEST_DIFFERENT_CHARACTERS)
    return `must have at least ${FEWEST_DIFFERENT_CHARACTERS} different characters`
  if (isOfSeries(plain)) return 'must not follow the keyboard, the alphabet or the numbers'
  if (ownCharacters(plain, operatorName.toLowerCase()) < FEWEST_OWN_CHARACTERS)
    return 'must not be made of your name or of words that everyone takes'
  return undefined
}

function isOfSeries(plain: string): boolean {
  const backwards = [...plain].reverse().join('')
  return SERIES.some((series) => series.includes(plain) || series.includes(backwards))
}

/** How many letters are left without the words, and without the digits and marks that people put behind them. */
function ownCharacters(plain: string, name: string): number {
  const words = [name, ...COMMON_WORDS].filter((word) => word.length > 2).sort((a, b) => b.length - a.length)
  const letters = plain.replace(/[\s._-]+/g, '')
  const rest = words.reduce((left, word) => left.replaceAll(word.replace(/[\s._-]+/g, ''), ''), letters)
  if (rest === letters) return letters.length
  return [...rest.replace(/[\d\p{P}\p{S}]+/gu, '')].length
}
