/**
 * An element of a page's structure tree (ISO 32000-1, 14.7.2), by its standard type such as `H1` or `TD`. Its content,
 * in reading order: further elements, and marks, the numbers of marked content that words carry.
 */
export type StructureNode = {
  type: string
  /** A text in place of a picture, and one in place of the words. */
  alternative?: string
  replacement?: string
  /** A language tag, where the element states one. */
  language?: string
  /** Columns and rows that a cell spans; 1 where absent. */
  columns?: number
  rows?: number
  /** True for a list whose items are numbered. */
  isNumbered?: boolean
  content: (StructureNode | number)[]
}

/** The structure tree of a page, and the mark of each of its words; -1 for a word without one. */
export type PageStructure = { roots: StructureNode[]; marks: number[] }

/** A cell of a table: its place in the row, and whether it is a header. */
type CellRole = { kind: 'cell'; begins?: 'table' | 'row'; isHeader: boolean; columns: number; rows: number }

/** The part that a paragraph of a page's text plays. Depths and levels begin with 1. */
export type Role = { language?: string } & (
  | { kind: 'paragraph' | 'quote' | 'figure' }
  | { kind: 'heading'; level: number }
  | { kind: 'item'; depth: number; isNumbered: boolean }
  | CellRole
)

/** A paragraph with its part; cells without text have a part only. */
export type Block = { role: Role; text: string }

const PLAIN: Role = { kind: 'paragraph' }
const TOKEN =
  /^(?:(p|q|f)|h([1-6])|([lo])([1-9])|(\/{0,2})(td|th)(?:(\d{1,3})x(\d{1,3}))?(-?))(?:@([A-Za-z0-9-]{1,35}))?$/

/**
 * Encodes the parts that the paragraphs of a page play, a word for each: `h1 p l1 l2 //th th /td td-`. Lists have a
 * depth, and `/` and `//` begin a row and a table. A cell with `-` has no text, and no paragraph.
 */
export function encodeRoles(roles: readonly Role[], isEmpty: (at: number) => boolean): string {
  return roles.map((role, at) => tokenOf(role, isEmpty(at))).join(' ')
}

function tokenOf(role: Role, isEmpty: boolean): string {
  return `${part()}${role.language === undefined ? '' : `@${role.language}`}`

  function part(): string {
    if (role.kind === 'heading') return `h${role.level}`
    if (role.kind === 'item') return `${role.isNumbered ? 'o' : 'l'}${role.depth}`
    if (role.kind === 'cell') return cellToken(role, isEmpty)
    return role.kind[0]
  }
}

function cellToken({ begins, isHeader, columns, rows }: CellRole, isEmpty: boolean): string {
  const slashes = begins === 'table' ? '//' : begins === 'row' ? '/' : ''
  const span = columns === 1 && rows === 1 ? '' : `${columns}x${rows}`
  return `${slashes}${isHeader ? 'th' : 'td'}${span}${isEmpty ? '-' : ''}`
}

/**
 * Joins the paragraphs of a page with the parts that they play. Encoded parts may have been cut off, or belong to an
 * earlier rendering; further paragraphs are plain.
 */
export function blocksOf(paragraphs: readonly string[], encodedRoles: string | null): Block[] {
  const blocks: Block[] = []
  let next = 0
  for (const token of encodedRoles?.split(' ') ?? []) {
    const { role, isEmpty } = parseToken(token)
    if (!isEmpty && next === paragraphs.length) break
    blocks.push({ role, text: isEmpty ? '' : paragraphs[next++] })
  }
  for (; next < paragraphs.length; next++) blocks.push({ role: PLAIN, text: paragraphs[next] })
  return blocks
}

function parseToken(token: string): { role: Role; isEmpty: boolean } {
  const [, simple, level, list, depth, slashes, cell, columns, rows, empty, language] = TOKEN.exec(token) ?? []
  return { role: { ...part(), ...(language !== undefined && { language }) }, isEmpty: empty === '-' }

  function part(): Role {
    if (level !== undefined) return { kind: 'heading', level: Number(level) }
    if (list !== undefined) return { kind: 'item', depth: Number(depth), isNumbered: list === 'o' }
    if (simple === 'q') return { kind: 'quote' }
    if (simple === 'f') return { kind: 'figure' }
    if (cell === undefined) return PLAIN
    const begins = slashes === '//' ? 'table' : slashes === '/' ? 'row' : undefined
    return { kind: 'cell', begins, isHeader: cell === 'th', columns: Number(columns ?? 1), rows: Number(rows ?? 1) }
  }
}
