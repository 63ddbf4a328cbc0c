import {
  type Block,
  encodeRoles,
  type PageStructure,
  type Role,
  type StructureNode,
  type Word,
} from '../../model/document-content.ts'

/** The text of a page, and the parts that its paragraphs play (`encodeRoles`); null where the file does not say. */
export type RoledText = { text: string; roles: string | null }

/**
 * Share of a page's words that must lie in the tree. With less, the tree is a remnant, and would lose the page's order.
 */
const MIN_COVERAGE = 0.5
const MAX_LIST_DEPTH = 9
const MAX_SPAN = 100
/** Characters of the alternative text of a figure, and of all on a page. */
const MAX_ALTERNATIVE = 2_000
const MAX_ALTERNATIVES = 20_000

/** Levels of headings by type; `H` has none of its own (ISO 32000-1, 14.8.4.3.2), and `Title` is of PDF 2.0. */
const LEVELS: Record<string, number> = { Title: 1, H: 2, H1: 1, H2: 2, H3: 3, H4: 4, H5: 5, H6: 6 }
/** Types whose text is one paragraph, or one item or cell of the element around it. All others group such elements. */
const PARAGRAPHS = new Set(['P', 'Note', 'FENote', 'Caption', 'BibEntry', 'TOCI', 'Code', 'Formula'])
const INLINE = new Set([
  ...['Span', 'Quote', 'Link', 'Reference', 'Em', 'Strong', 'Lbl', 'Annot', 'Ruby', 'RB', 'RT', 'RP', 'Warichu'],
  ...['WT', 'WP', 'Sub', 'Form'],
])

/**
 * Returns the text of a page in the order of its structure tree, with headings, lists, tables and the alternatives of
 * figures. Words that are not in the tree, such as running heads, follow as paragraphs. Without a tree, or with one
 * that covers too little, paragraphs are recognized by their looks.
 */
export function structuredText(words: readonly Word[], structure: PageStructure | undefined): RoledText {
  if (structure === undefined) return { text: pageText(words), roles: null }
  const reading = new Reading(words, structure.marks)
  for (const root of structure.roots) reading.readBlock(root, { depth: 0 })
  const { blocks, unread } = reading
  if (blocks.length === 0 || !reading.coversPage) return { text: pageText(words), roles: null }
  const rest = pageText(unread).split('\n\n').filter(Boolean)
  const all = [...blocks, ...rest.map((text): Block => ({ role: { kind: 'paragraph' }, text }))]
  const roles = encodeRoles(
    all.map(({ role }) => role),
    (at) => all[at].text === '',
  )
  const text = all
    .map((block) => block.text)
    .filter(Boolean)
    .join('\n\n')
  return { text, roles }
}

/** The surroundings of an element: its depth in lists, its language, and the part that plain paragraphs play in it. */
type Around = { depth: number; isNumbered?: boolean; language?: string; plain?: Role }

class Reading {
  readonly blocks: Block[] = []
  readonly #words: readonly Word[]
  readonly #byMark: Map<number, number[]>
  readonly #read = new Set<number>()
  #alternatives = 0

  constructor(words: readonly Word[], marks: readonly number[]) {
    this.#words = words
    this.#byMark = Map.groupBy(
      words.flatMap((word, at) => (isOnPage(word) && marks[at] >= 0 ? [at] : [])),
      (at) => marks[at],
    )
  }

  /** The words that no element had, in the order of the file. */
  get unread(): Word[] {
    return this.#words.filter((_, at) => !this.#read.has(at))
  }

  get coversPage(): boolean {
    const shown = this.#words.filter(isOnPage).length
    return this.#read.size >= MIN_COVERAGE * shown
  }

  /** Reads an element with everything in it. */
  readBlock(node: StructureNode, outer: Around): void {
    const around = node.language === undefined ? outer : { ...outer, language: node.language }
    const { type } = node
    const level = LEVELS[type]
    if (type === 'Figure' && node.alternative !== undefined) this.#addFigure(node, around)
    else if (type === 'L') this.#readList(node, around)
    else if (type === 'LI') this.#readItem(node, around)
    else if (type === 'Table') this.#readTable(node, around)
    else if (type === 'BlockQuote') this.#readParts(node, { ...around, plain: { kind: 'quote' } })
    else if (level !== undefined) this.#addText(node, { kind: 'heading', level }, around)
    else if (PARAGRAPHS.has(type) || INLINE.has(type)) this.#addText(node, plainOf(around), around)
    else this.#readParts(node, around)
  }

  /** Reads the parts of a group. Marks and inline elements between them make paragraphs. */
  #readParts(node: StructureNode, around: Around): void {
    let loose: (StructureNode | number)[] = []
    const endLoose = () => {
      if (loose.length > 0) this.#addText({ type: 'P', content: loose }, plainOf(around), around)
      loose = []
    }
    const content = node.replacement === undefined ? node.content : [{ ...node, type: 'P' }]
    for (const part of content) {
      if (typeof part === 'number' || INLINE.has(part.type)) loose.push(part)
      else {
        endLoose()
        this.readBlock(part, around)
      }
    }
    endLoose()
  }

  #readList(node: StructureNode, around: Around): void {
    const depth = Math.min(MAX_LIST_DEPTH, around.depth + 1)
    this.#readParts(node, { ...around, depth, isNumbered: node.isNumbered === true })
  }

  /** Reads an item: its own text, without a mere bullet, and then the lists within it. */
  #readItem(node: StructureNode, around: Around): void {
    const role: Role = { kind: 'item', depth: Math.max(1, around.depth), isNumbered: around.isNumbered === true }
    const label = node.content.find((part) => typeof part !== 'number' && part.type === 'Lbl') as StructureNode
    const labelText = label === undefined ? '' : this.#textOf(label)
    const isKept = /[\p{L}\p{N}]/u.test(labelText) && around.isNumbered !== true
    this.#addText(
      { ...node, content: node.content.filter((part) => part !== label) },
      role,
      around,
      isKept ? labelText : '',
    )
  }

  #readTable(table: StructureNode, around: Around): void {
    let begins: 'table' | 'row' | undefined = 'table'
    for (const row of this.#rowsOf(table, around)) {
      for (const cell of row.content) {
        if (typeof cell === 'number' || (cell.type !== 'TD' && cell.type !== 'TH')) continue
        const { columns = 1, rows = 1 } = cell
        const span = { columns: Math.min(MAX_SPAN, columns), rows: Math.min(MAX_SPAN, rows) }
        const role: Role = { kind: 'cell', begins, isHeader: cell.type === 'TH', ...span }
        this.#addText(cell, role, around, '', true)
        begins = undefined
      }
      begins ??= 'row'
    }
  }

  /** Returns the rows of a table. Its caption is read before them. */
  #rowsOf(table: StructureNode, around: Around): StructureNode[] {
    return table.content.flatMap((part) => {
      if (typeof part === 'number') return []
      if (part.type === 'TR') return [part]
      if (part.type === 'THead' || part.type === 'TBody' || part.type === 'TFoot') return this.#rowsOf(part, around)
      this.readBlock(part, around)
      return []
    })
  }

  #addFigure(node: StructureNode, around: Around): void {
    const text = this.#alternativeOf(node)
    // The words in a figure are described by its alternative.
    for (const mark of marksIn(node)) this.#take(mark)
    if (text !== '') this.#add({ kind: 'figure' }, around, text)
  }

  #addText(node: StructureNode, role: Role, around: Around, label = '', evenIfEmpty = false): void {
    const nested: StructureNode[] = []
    const text = [label, this.#textOf(node, nested)].filter(Boolean).join(' ')
    if (text !== '' || evenIfEmpty) this.#add(role, around, text)
    for (const part of nested) this.readBlock(part, around)
  }

  #add(role: Role, { language }: Around, text: string): void {
    this.blocks.push({ role: language === undefined ? role : { ...role, language }, text })
  }

  /** Returns the text of an element as one paragraph. Lists, tables and figures in it are put into `nested`. */
  #textOf(node: StructureNode, nested: StructureNode[] = []): string {
    const pieces: string[] = []
    let taken: Word[] = []
    const endWords = () => {
      if (taken.length > 0) pieces.push(joinLines(taken))
      taken = []
    }
    const collect = (element: StructureNode) => {
      if (element.replacement !== undefined) {
        endWords()
        pieces.push(oneLine(element.replacement))
        for (const mark of marksIn(element)) this.#take(mark)
        return
      }
      for (const part of element.content) {
        if (typeof part === 'number') taken.push(...this.#take(part))
        else if (isNested(part)) nested.push(part)
        else collect(part)
      }
    }
    collect(node)
    endWords()
    return pieces.filter(Boolean).join(' ')
  }

  #take(mark: number): Word[] {
    const found = this.#byMark.get(mark) ?? []
    this.#byMark.delete(mark)
    for (const at of found) this.#read.add(at)
    return found.map((at) => this.#words[at])
  }

  #alternativeOf({ alternative = '' }: StructureNode): string {
    const room = Math.min(MAX_ALTERNATIVE, MAX_ALTERNATIVES - this.#alternatives)
    const text = oneLine(alternative).slice(0, room).toWellFormed()
    this.#alternatives += text.length
    return text
  }
}

function plainOf({ plain }: Around): Role {
  return plain ?? { kind: 'paragraph' }
}

function isNested({ type, alternative }: StructureNode): boolean {
  return type === 'L' || type === 'Table' || (type === 'Figure' && alternative !== undefined)
}

function* marksIn({ content }: StructureNode): Generator<number> {
  for (const part of content) {
    if (typeof part === 'number') yield part
    else yield* marksIn(part)
  }
}

function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim()
}

/** A line of a page: its words joined, and its position in fractions of the page. */
type Line = { text: string; left: number; top: number; height: number; right: number }

/**
 * Lines further apart than this multiple of the median distance separate paragraphs; leading within one varies less.
 */
const PARAGRAPH_GAP = 1.4
/** Lines closer than this multiple of their height belong together, even if the median distance is smaller. */
const LINE_GAP = 1.3
/** A heading is larger or smaller than its surroundings by at least this factor. */
const SIZE_CHANGE = 1.25
/** Indent of a paragraph's first line in fractions of the page's width: less is unevenness, more is a column. */
const MIN_INDENT = 0.012
const MAX_INDENT = 0.08
/** Marks that can end a paragraph, in the scripts that have them. */
const SENTENCE_END = /[.!?:;…。！？؟۔।]["'”’»)\]]*$/

/**
 * Returns the text of a page for reading: one line per paragraph, with an empty line between paragraphs. Paragraphs are
 * recognized by distance, size and indent of the lines, because the file does not mark them. Words
 * hyphenated at the end of a line are joined.
 */
export function pageText(words: readonly Word[]): string {
  const lines = linesOf(words.filter(isOnPage))
  const distance = medianDistance(lines)
  return lines
    .reduce<string[]>((paragraphs, line, at) => {
      const last = paragraphs.length - 1
      if (at === 0 || isBreak(lines[at - 1], line, distance)) paragraphs.push(line.text)
      else paragraphs[last] = joined(paragraphs[last], line.text)
      return paragraphs
    }, [])
    .join('\n\n')
}

/** Joins words in reading order to one paragraph. */
function joinLines(words: readonly Word[]): string {
  return linesOf(words).reduce((text, line, at) => (at === 0 ? line.text : joined(text, line.text)), '')
}

/** Returns false for words outside the shown part of the page, such as printers' marks. */
function isOnPage({ width, height }: Word): boolean {
  return width > 0 && height > 0
}

function linesOf(words: readonly Word[]): Line[] {
  const lines: Line[] = []
  let current = -1
  for (const { text, line, x, y, width, height } of words) {
    if (line !== current) lines.push({ text, left: x, top: y, height, right: x + width })
    else {
      const known = lines.at(-1)!
      known.text += ` ${text}`
      known.left = Math.min(known.left, x)
      known.right = Math.max(known.right, x + width)
      known.top = Math.min(known.top, y)
      known.height = Math.max(known.height, height)
    }
    current = line
  }
  return lines
}

/** Returns the median distance from one line down to the next; infinity if no line follows another. */
function medianDistance(lines: readonly Line[]): number {
  const steps = lines.slice(1).map(({ top }, at) => top - lines[at].top)
  const down = steps.filter((step) => step > 0).sort((a, b) => a - b)
  return down.length === 0 ? Number.POSITIVE_INFINITY : down[down.length >> 1]
}

function isBreak(before: Line, line: Line, distance: number): boolean {
  const step = line.top - before.top
  const [smaller, larger] = [before.height, line.height].sort((a, b) => a - b)
  // Lines of a large heading are further apart than lines of the text, and belong together.
  if (step > Math.max(PARAGRAPH_GAP * distance, LINE_GAP * smaller) || larger > SIZE_CHANGE * smaller) return true
  if (!SENTENCE_END.test(before.text)) return false
  const indent = line.left - before.left
  // The last line of a paragraph ends early; at the end of a column the indent says nothing.
  const endsEarly = before.right < line.right - MAX_INDENT
  return endsEarly || (step > 0 && indent >= MIN_INDENT && indent <= MAX_INDENT)
}

/** Joins two lines. A hyphen before a lower-case letter divides a word; before anything else it belongs to the text. */
function joined(before: string, after: string): string {
  return /\p{L}-$/u.test(before) && /^\p{Ll}/u.test(after) ? before.slice(0, -1) + after : `${before} ${after}`
}
