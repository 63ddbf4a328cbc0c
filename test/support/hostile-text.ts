/** A text on which an expression takes more than linear time. */
export type HostileText = { prefix: string; pump: string; suffix: string; ms: number }

/** Characters that mean something to formats, or stand for a class of Unicode. */
const CHARACTERS = [...'aZ7 \t\n-._/:;=,+<>"\'\\()[]{}*#%&@?!$|~^`é漢\u0301\u0000\u2028\u{1f600}']

/** A character that hardly any part matches. */
const UNMATCHED = '\u0001'

/** Lengths at which exponential time shows, before longer texts would take for ever. */
const SHORT_UNITS = [16, 22, 28, 36]
const SHORT_MAX_MS = 5
/** At the first length, a quadratic expression takes about a fortieth of a millisecond more than a linear one. */
const SCREENED_LENGTH = 500
const SCREENED_UNITS = 150
const SCREENED_MAX_MS = 0.025
/** On a text that is eight times as long, it takes 64 times as long, and a linear one 8 times. */
const CONFIRMED_FACTOR = 8
const CONFIRMED_RATIO = 20

/** Parts of an expression that match one character, and words, which are left out: their letters mean nothing alone. */
const PART =
  /[a-z]{2,}(?![a-z]*[?*+{])|(\\[pP]\{[^}]+\}|\\u[\da-f]{4}|\\x[\da-f]{2}|\\[^bBk1-9]|\[(?:\\.|[^\]\\])*\]|[^()|?*+{}^$\\[\]])/gi
/** Words that an expression looks for, such as `encoding=`. */
const WORD = /(?:\\[^\w\s]|[^\w\s()|?*+{}^$\\[\].]|(?<!\\)[A-Za-z\d]){2,}/g

/**
 * Looks for a text that an expression takes more than linear time to be looked for in: a beginning, something that is
 * repeated, and an end, all made of characters that the parts of the expression tell apart and of its words.
 */
export function findHostileText(expression: RegExp): HostileText | undefined {
  if (!isUnbounded(expression)) return undefined
  const characters = distinctCharacters(expression)
  const units = [...characters, ...wordsOf(expression)]
  const pairs = characters.flatMap((one) => units.map((other) => one + other))
  const triples = characters.length > 6 ? [] : pairs.flatMap((pair) => characters.map((one) => pair + one))
  const suffixes = ['', ...characters, ...characters.map((one) => UNMATCHED + one)]
  const prefixes = ['', ...units, ...pairs, ...samplesOf(expression)]
  for (const pump of new Set([...units, ...pairs, ...triples])) {
    const repeated = repetitionsOf(pump)
    for (const prefix of pump.length > 2 ? prefixes.slice(0, units.length + 1) : prefixes) {
      const isLong = prefix.length + pump.length > 3
      for (const suffix of isLong
        ? suffixes.slice(0, 4)
        : suffixes.slice(0, 1 + characters.length * (prefix === '' ? 2 : 1))) {
        const ms = hostileMs(expression, { prefix, repeated, suffix })
        if (ms !== undefined) return { prefix, pump, suffix, ms }
      }
    }
  }
  return undefined
}

/** Tells whether an expression repeats anything without a limit. Others are linear. */
function isUnbounded({ source }: RegExp): boolean {
  return /[*+]|\{\d+,\}/.test(source.replace(/\[(?:\\.|[^\]\\])*\]|\\./g, ''))
}

/** Tells whether an expression repeats a group, without which its time is not exponential. */
function isNested({ source }: RegExp): boolean {
  return /\)[*+{]/.test(source)
}

/** Returns a character for each set of parts that match it. */
function distinctCharacters(expression: RegExp): string[] {
  const parts = partsOf(expression)
  const byParts = new Map<string, string>()
  for (const character of [UNMATCHED, ...CHARACTERS, ...expression.source.replace(/\\\w/g, '')]) {
    const key = parts.flatMap((part, i) => (part.test(character) ? [i] : [])).join()
    if (!byParts.has(key)) byParts.set(key, character)
  }
  return [...byParts.values()]
}

function wordsOf({ source }: RegExp): string[] {
  return (source.match(WORD) ?? []).map((word) => word.replaceAll('\\', ''))
}

/** Beginnings of a text that the expression matches part by part. */
function samplesOf(expression: RegExp): string[] {
  let sample = ''
  return partsOf(expression).map((part) => {
    sample += CHARACTERS.find((character) => part.test(character)) ?? ''
    return sample
  })
}

function partsOf({ source, flags }: RegExp): RegExp[] {
  const texts = [...source.matchAll(PART)].flatMap(([, part]) => part ?? [])
  return texts.map((text) => new RegExp(`^${text}$`, flags.replace(/[gy]/g, '')))
}

/** Returns a function that repeats a text, and keeps the repetitions for hundreds of thousands of texts. */
function repetitionsOf(pump: string): (units: number) => string {
  const kept = new Map<number, string>()
  return (units) => {
    const known = kept.get(units)
    if (known !== undefined) return known
    kept.set(units, pump.repeat(units))
    return kept.get(units)!
  }
}

type Parts = { prefix: string; repeated: (units: number) => string; suffix: string }

/** Returns the time that a long text takes, if it is more than linear. */
function hostileMs(expression: RegExp, { prefix, repeated, suffix }: Parts): number | undefined {
  const timeOf = (units: number) => {
    const text = prefix + repeated(units) + suffix
    const start = performance.now()
    text.replace(expression, '')
    return performance.now() - start
  }
  const leastOf = (units: number) => Math.min(timeOf(units), timeOf(units), timeOf(units))
  for (const units of isNested(expression) ? SHORT_UNITS : []) {
    const ms = timeOf(units)
    if (ms > SHORT_MAX_MS && leastOf(units) > SHORT_MAX_MS) return ms
  }
  const screened = Math.max(SCREENED_UNITS, Math.ceil(SCREENED_LENGTH / repeated(1).length))
  if (timeOf(screened) <= SCREENED_MAX_MS) return undefined
  const shortMs = leastOf(screened)
  if (shortMs <= SCREENED_MAX_MS) return undefined
  if (shortMs > SHORT_MAX_MS) return shortMs
  const longMs = leastOf(screened * CONFIRMED_FACTOR)
  return longMs / shortMs >= CONFIRMED_RATIO ? longMs : undefined
}
