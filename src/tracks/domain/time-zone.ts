/** Refuses a text that is not the name of a time zone, such as `Europe/Atlantis`. */
export function timeZoneProblem(text: string): string | undefined {
  try {
    new Intl.DateTimeFormat('en', { timeZone: text })
    return undefined
  } catch {
    return 'must be the name of a time zone, such as Europe/Paris'
  }
}
