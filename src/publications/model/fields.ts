import { foldText } from '#platform/basics/text.ts'

export const MAX_AUTHOR_LENGTH = 200
export const MAX_DESCRIPTION_LENGTH = 1_000

export const MAX_TITLE_LENGTH = 500

/** Form of a slug that a client chooses; its length is limited separately. */
export const SLUG_PATTERN = '^[a-z0-9]+(-[a-z0-9]+)*$'
const SLUG = new RegExp(SLUG_PATTERN)

/** Tells whether a text has the form of a slug. */
export function isSlug(text: string): boolean {
  return SLUG.test(text)
}

/** Returns a title as it is stored, without surrounding white space. */
export function parseTitle(text: string): string {
  return text.trim()
}

/** Describes a valid title; undefined if the title is valid. Characters are code points. */
export function titleProblem(text: string): string | undefined {
  const title = parseTitle(text)
  // A code point takes at most two units, so that very long text is not split.
  const isShort = title.length <= 2 * MAX_TITLE_LENGTH && [...title].length <= MAX_TITLE_LENGTH
  if (title !== '' && isShort) return undefined
  return `must have 1 to ${MAX_TITLE_LENGTH} characters, not counting surrounding white space`
}

/** Titles that programs write for lack of a real one: their own name, a counter, or the name of the source file. */
const PLACEHOLDERS = [
  /^(untitled|sans titre|sans nom|unbenannt|document|presentation|présentation|title|titre|slide|diapositive)[\s_-]*\d*$/i,
  /^microsoft (word|powerpoint|excel)\b/i,
  /^(print|impression)\b.*\.\w{2,5}$/i,
  /\.(docx?|odt|pptx?|odp|xlsx?|ods|indd|qxd|pages|key|tex|dvi|ps|eps|ai|pdf|rtf|txt|html?)$/i,
]

/**
 * Returns the title of a publication from that in its file, or else `fallback`, which is usually the file's name.
 * Titles that say nothing about the content do not count.
 */
export function titleFromFile(stated: string | undefined, fallback: string): string {
  const title = parseTitle(stated ?? '')
  const isReal = titleProblem(title) === undefined && !PLACEHOLDERS.some((placeholder) => placeholder.test(title))
  return isReal ? title : parseTitle(fallback)
}

/** Names that programs write for lack of an author: that there is none, a role of an account, or their own name. */
const PLACEHOLDER_AUTHORS = [
  /^(anonymous|anonym|anonyme|unknown( author)?|(auteur )?inconnu|unbekannt|none|n\/a|null|undefined|default|nobody)$/i,
  /^(the )?(author|auteur|autor|verfasser|creator|owner|(windows |microsoft office )?user|utilisateur|benutzer)[\s_-]*\d*$/i,
  /^(admin|administrator|administrateur|root|guest|invité|gast|system|sysadmin|www-data|ubuntu)$/i,
  /^(microsoft|libreoffice|openoffice|adobe|acrobat|reportlab|python-docx|openpyxl|apache (fop|poi)|tcpdf|pdftex)\b/i,
]

/** Returns the author that a file names; undefined for none, and for a name that no author has. */
export function authorFromFile(stated: string | undefined): string | undefined {
  const author = stated?.trim()
  const bare = author?.replace(/^[([<"']|[)\]>"']$/g, '')
  if (!bare || PLACEHOLDER_AUTHORS.some((placeholder) => placeholder.test(bare))) return undefined
  return author
}

/**
 * Returns the text that searches of the library compare. The title comes first, so that the text also gives the
 * alphabetical order of titles. It has no case and no accents, because SQLite's `lower` knows
 * only ASCII and people type `ete` for `Été`.
 */
export function searchText(title: string, slug: string): string {
  return foldText(`${title}\n${slug}`)
}

/** `processing` until enough pages are rendered to read; `failed` if no page could be rendered. */
export const PUBLICATION_STATUSES = ['processing', 'ready', 'failed'] as const
export type PublicationStatus = (typeof PUBLICATION_STATUSES)[number]

export const MAX_WORKSPACE_NAME_LENGTH = 200

/** Returns a workspace's name as it is stored, without surrounding white space. */
export function parseWorkspaceName(text: string): string {
  return text.trim()
}

/** Describes a valid name of a workspace; undefined if the name is valid. */
export function workspaceNameProblem(text: string): string | undefined {
  if (text.length > MAX_WORKSPACE_NAME_LENGTH) return `must have at most ${MAX_WORKSPACE_NAME_LENGTH} characters`
  return parseWorkspaceName(text) === '' ? 'must have more than white space' : undefined
}

/** The permissions of API keys: to do everything with a workspace, or only to list its publications. */
export const PERMISSIONS = ['publish', 'read'] as const
export type Permission = (typeof PERMISSIONS)[number]

/** The permissions of a workspace's first key, and of any other that is created without a choice. */
export const DEFAULT_PERMISSIONS: readonly Permission[] = ['publish', 'read']

/** Returns everything that permissions allow: who publishes also reads. */
export function grantedBy(permissions: readonly Permission[]): readonly Permission[] {
  return permissions.includes('publish') ? PERMISSIONS : permissions
}

/** Ways in which readers see a publication at first, until they choose another: all pages in a row, two, or one. */
export const FIRST_VIEWS = ['scroll', 'book', 'slides'] as const
export type FirstView = (typeof FIRST_VIEWS)[number]

/** A page that is so much wider than high is one of a presentation. */
const WIDE = 1.1
/** Pages that tell the format of a document. */
const LOOKED_AT = 20

/** Returns the view in which readers begin: that of the publisher, or else `slides` for wide pages, and `scroll`. */
export function firstViewOf(
  chosen: FirstView | null | undefined,
  pages: readonly { widthPt: number; heightPt: number }[] = [],
): FirstView {
  if (chosen != null) return chosen
  const first = pages.slice(0, LOOKED_AT)
  const areSlides = first.length > 1 && first.every(({ widthPt, heightPt }) => widthPt > WIDE * heightPt)
  return areSlides ? 'slides' : 'scroll'
}
