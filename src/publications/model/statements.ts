import type { DocumentFacts } from './document-content.ts'
import { authorFromFile, titleFromFile } from './fields.ts'

/**
 * Statements of a publisher about a document, as they are stored. Real files name the login of whoever made them as
 * their author, so that nothing but the language is taken from a file without being asked for; where the file states
 * none, it is that of its text.
 */
export type Statements = {
  /** A language tag; empty for none, null for the file's own. */
  language: string | null
  /** Null for none. */
  author: string | null
  description: string | null
  /** 1 to show that of the file; else null. */
  author_from_file: number | null
  description_from_file: number | null
}

/** The statements of a new publication: the language of its file, no author and no description. */
export const NO_STATEMENTS: Statements = {
  language: null,
  author: null,
  description: null,
  author_from_file: null,
  description_from_file: null,
}

/** Changes of statements; an empty text means none, and absent or null members leave a statement as it is. */
export type StatementChanges = { [Name in 'language' | 'author' | 'description']?: string | null } & {
  [Name in 'language_from_file' | 'author_from_file' | 'description_from_file']?: boolean | null
}

/** Returns the statements after a change. */
export function changedStatements(before: Statements, change: StatementChanges): Statements {
  const author = changedText(before.author, before.author_from_file, change.author, change.author_from_file)
  const { description, description_from_file } = change
  const described = changedText(before.description, before.description_from_file, description, description_from_file)
  return {
    language: changedLanguage(before.language, change),
    author: author.text,
    author_from_file: author.fromFile,
    description: described.text,
    description_from_file: described.fromFile,
  }
}

function changedLanguage(before: string | null, { language, language_from_file }: StatementChanges): string | null {
  if (language_from_file === true) return null
  if (language != null) return documentLanguage(language.trim()) ?? ''
  return language_from_file === false ? (before ?? '') : before
}

function changedText(
  before: string | null,
  wasFromFile: number | null,
  text: string | null | undefined,
  isFromFile: boolean | null | undefined,
): { text: string | null; fromFile: number | null } {
  if (isFromFile === true) return { text: null, fromFile: 1 }
  if (text != null) return { text: text.trim() === '' ? null : text.trim(), fromFile: null }
  return { text: before, fromFile: isFromFile === false ? null : wasFromFile }
}

/** Names the fields that are stated and, at the same time, to be taken from the file. */
export function statementConflicts(change: Record<string, unknown>): { path: string; message: string }[] {
  return ['language', 'author', 'description']
    .filter((name) => change[`${name}_from_file`] === true && typeof change[name] === 'string' && change[name] !== '')
    .map((name) => ({ path: `${name}_from_file`, message: `must not be true together with ${name}` }))
}

/** The language, author and description that readers and search engines see; null for none. */
type ShownStatements = { language: string | null; author: string | null; description: string | null }

/** The facts of a file that say something about the document. */
type StatingFacts = Partial<Pick<DocumentFacts, 'language' | 'detectedLanguage' | 'metadata'>>

/** Returns the statements that a document is shown with. */
export function shownStatements(own: Statements, facts: StatingFacts): ShownStatements {
  const ofFile = fileStatements(facts)
  return {
    language: own.language === null ? (ofFile.language ?? facts.detectedLanguage ?? null) : own.language || null,
    author: own.author_from_file === 1 ? ofFile.author : own.author,
    description: own.description_from_file === 1 ? ofFile.description : own.description,
  }
}

/** Returns true if pages turn from right to left: the file says so, or the language is written in that direction. */
export function turnsRightToLeft(own: Statements, facts: StatingFacts & { isRightToLeft?: true }): boolean {
  const { language } = shownStatements(own, facts)
  return facts.isRightToLeft === true || (language !== null && textDirection(language) === 'rtl')
}

/** Part of ECMA-402 that the types of the compiler lack. */
type LocaleWithDirection = Intl.Locale & { getTextInfo(): { direction?: string } }

function textDirection(tag: string): string | undefined {
  try {
    return (new Intl.Locale(tag) as LocaleWithDirection).getTextInfo().direction
  } catch {
    // Publishers may state private tags, such as `x-dialect`.
    return undefined
  }
}

/** Returns what a file says about itself, null where it says nothing; its owner may publish it or not. */
export function fileStatements({ language, metadata }: StatingFacts): ShownStatements & { title: string | null } {
  const title = titleFromFile(metadata?.title, '')
  return {
    title: title === '' ? null : title,
    language: documentLanguage(language) ?? null,
    author: authorFromFile(metadata?.author) ?? null,
    description: metadata?.subject ?? null,
  }
}

/** Returns which statements come from the file. */
export function statementSources(own: Statements & { title_from_file?: number | null }) {
  return {
    title_from_file: own.title_from_file === 1,
    language_from_file: own.language === null,
    author_from_file: own.author_from_file === 1,
    description_from_file: own.description_from_file === 1,
  }
}

/** Languages have two or three letters (ISO 639); tags with longer ones, such as `German`, are valid and name none. */
const LANGUAGE = /^[a-z]{2,3}(-|$)/i

/** Refuses a text that is no language tag (BCP 47). An empty one states no language. */
export function languageProblem(text: string): string | undefined {
  const tag = documentLanguage(text.trim())
  if (text.trim() === '' || (tag !== undefined && LANGUAGE.test(tag))) return undefined
  return 'must be a language tag, such as fr or de-CH'
}

/** Returns the language of a document as a canonical tag (BCP 47); undefined if the text is no valid one. */
export function documentLanguage(tag: string | undefined): string | undefined {
  try {
    // Some files write `en_US`.
    return tag === undefined ? undefined : Intl.getCanonicalLocales(tag.replaceAll('_', '-'))[0]
  } catch {
    return undefined
  }
}
