import { eld } from 'eld/extrasmall'

/** Letters of a page that tell its language; a page number or a title does not. */
const MIN_LETTERS = 60
/** Share of the letters that one language must have: a document in several languages has no language of its own. */
const MIN_SHARE = 0.6

// The thread that detects languages: the texts are those of strangers, and the data of 60 languages take 60 MB.

/** Returns the language that most of the texts are in, as a tag such as `fr`; undefined if they do not tell. */
export function detectLanguage(texts: readonly string[]): string | undefined {
  const letters = new Map<string, number>()
  let all = 0
  for (const text of texts) {
    const words = text.match(/\p{L}+/gu)?.join(' ') ?? ''
    if (words.length < MIN_LETTERS) continue
    const detected = eld.detect(words)
    if (!detected.isReliable()) continue
    all += words.length
    letters.set(detected.language, (letters.get(detected.language) ?? 0) + words.length)
  }
  const [language, most] = [...letters].reduce((best, one) => (one[1] > best[1] ? one : best), ['', 0])
  return most > 0 && most >= MIN_SHARE * all ? language : undefined
}
