import type { Participant } from '../generated/types.gen.ts'

const COLUMNS = ['user_id', 'bib', 'name', 'category', 'phone', 'status'] as const

type ExportedParticipant = Pick<Participant, (typeof COLUMNS)[number]>

/** Returns participants as CSV (RFC 4180) with the headings of the import, and a byte order mark for Excel. */
export function participantsCsv(participants: readonly ExportedParticipant[]): string {
  const lines = participants.map((participant) => COLUMNS.map((name) => field(participant[name] ?? '')).join(','))
  return `\ufeff${[COLUMNS.join(','), ...lines].map((line) => `${line}\r\n`).join('')}`
}

/** A spreadsheet would run a text that begins like a formula. A phone number is no formula. */
function field(text: string): string {
  const isFormula = /^[=+\-@\t\r]/.test(text) && !/^\+[\d ()./-]+$/.test(text)
  const safe = isFormula ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
