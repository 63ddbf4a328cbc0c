/** A thing that something was done to, with its name at that time. */
export type AuditSubject = { kind: string; id: string | null; name: string | null }

/** Part of the program through which something was done. */
export type AuditSource = 'dashboard' | 'admin' | 'api' | 'server'

/** Somebody who did something: an operator, or the system user who ran a command. */
export type AuditActor = { id: string | null; name: string | null }

/** Something that somebody is about to do. */
export type AuditEntry = {
  source: AuditSource
  /** The operationId of the request, or the words of the command. */
  action: string
  actor: AuditActor
  subject: AuditSubject
  /** The thing that the subject belongs to. */
  within?: AuditSubject | undefined
  address?: string
  sessionId?: string
  browser?: string
  requestId?: string
  /** Further facts. No secrets, and no positions. */
  details?: Record<string, unknown>
}

/** `refused` is a response of 400 to 499, `failed` one of 500 or more. */
export const AUDIT_OUTCOMES = ['succeeded', 'refused', 'failed'] as const
type AuditOutcomeWord = (typeof AUDIT_OUTCOMES)[number]

/** The end of something: its success, and the thing that was created. */
export type AuditOutcome = {
  outcome: AuditOutcomeWord
  status?: number
  result?: { id: string; name: string | null } | undefined
}

/**
 * Something that was refused before it could change anything. Refusals of one kind, address and minute become one
 * record, so that a flood of them cannot fill the disk.
 */
export type AuditRefusal = {
  source: AuditSource
  action: string
  address: string
  status: number
  actor?: AuditActor | undefined
  subject?: AuditSubject | undefined
  /** SHA-256 of the refused credential in hexadecimal, of which the log keeps the first characters. */
  sha256?: string | undefined
}

/** Returns the word for the status of a response. */
export function outcomeOf(status: number): AuditOutcomeWord {
  if (status >= 500) return 'failed'
  return status >= 400 ? 'refused' : 'succeeded'
}

/** Returns the thing that a command or a request answers with. */
export function resultOf(answer: unknown): AuditOutcome['result'] {
  if (typeof answer !== 'object' || answer === null) return undefined
  const { id, name, title } = answer as { id?: unknown; name?: unknown; title?: unknown }
  const named = name ?? title
  return typeof id === 'string' ? { id, name: typeof named === 'string' ? named : null } : undefined
}
