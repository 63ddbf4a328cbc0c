import type { DocumentFacts } from './document-facts.ts'
import { documentLanguage } from './document-language.ts'

/** The publisher's own statements about a document; null for those of its file. */
export type Statements = { language: string | null; author: string | null; description: string | null }

export const MAX_AUTHOR_LENGTH = 200
export const MAX_DESCRIPTION_LENGTH = 1_000

/** Languages have two or three letters (ISO 639); tags with longer ones, such as `German`, are valid and name none. */
const LANGUAGE = /^[a-z]{2,3}(-|$)/i

/** Refuses a text that is no language tag (BCP 47). An empty one returns to that of the file. */
export function languageProblem(text: string): string | undefined {
  const tag = documentLanguage(text.trim())
  if (text.trim() === '' || (tag !== undefined && LANGUAGE.test(tag))) return undefined
  return 'must be a language tag, such as fr or de-CH'
}

/** Returns the given statements as they are stored; an empty text returns to that of the file. */
export function parseStatements(given: Partial<Statements>): Partial<Statements> {
  const texts = Object.entries({ language: given.language, author: given.author, description: given.description })
  return Object.fromEntries(
    texts.flatMap(([name, text]) => {
      if (text === undefined || text === null) return []
      const stated = text.trim() === '' ? null : text.trim()
      return [[name, name === 'language' ? (documentLanguage(stated ?? undefined) ?? null) : stated]]
    }),
  )
}

/**
 * Returns the language, author and description that a document is shown with: the publisher's own, or those of its
 * file.
 */
export function shownStatements(own: Statements, { language, metadata }: Partial<DocumentFacts>): Statements {
  return {
    language: own.language ?? documentLanguage(language) ?? null,
    author: own.author ?? metadata?.author ?? null,
    description: own.description ?? metadata?.subject ?? null,
  }
}
