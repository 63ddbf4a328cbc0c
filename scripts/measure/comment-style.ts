/** Nominal style: a clause or a pronoun stands where a noun would name the thing. */
const NOMINAL = [
  // "those of the track", "those who watch", "those kept"
  /\bthose (of|that|which|who|whose|with|without|in|from|for|to|at|on|by|before|after|it|they|a|an|the|\w+ed)\b/i,
  // "that of the backup", but not "so that of two tracks"
  /(?<!\b(so|such|say|says|means|see|sees|ensures?|tells?|shows?|now) )\bthat of\b/i,
  // "what was sent", "what it knows"
  /\bwhat (?!(if|to)\b)\w+/i,
  // "the one who comes first"
  /\bthe ones? (who|that|which|whose|of|with|in|it|they|\w+ed)\b/i,
  /\b(whoever|whomever|whatever|whichever)\b/i,
  // A comment that begins with a free relative clause: "How a phone is named."
  /^(what|who|whom|whose|which|how|where|whether|when|that|why)\b/i,
]

/** Tells whether a comment is written in nominal style. */
export function isNominal(comment: string): boolean {
  return NOMINAL.some((pattern) => pattern.test(comment))
}
