/** The facts of a publication that a citation names. */
export type CitedPublication = {
  title: string
  /** Undefined if the publisher states none. */
  author?: string
  /** Date of publication and of reading, as `2026-11-26`. */
  publishedOn: string
  readOn: string
  address: string
  /** The label of the cited page; undefined for the whole publication. */
  page?: string
}

/** Formats of citations: a line of text, BibTeX, and RIS, which reference managers import. */
export const CITATION_FORMATS = ['plain', 'bibtex', 'ris'] as const
export type CitationFormat = (typeof CITATION_FORMATS)[number]

/** Writes a citation. `words` are in the language of the reader: `p. {{page}}` and `accessed {{date}}`. */
export function citationOf(
  cited: CitedPublication,
  format: CitationFormat,
  words: { page(label: string): string; accessed(date: string): string },
): string {
  if (format === 'bibtex') return bibtexOf(cited)
  if (format === 'ris') return risOf(cited)
  const { author, title, publishedOn, readOn, page, address } = cited
  const parts = [author, title, publishedOn.slice(0, 4), page && words.page(page)].filter((part) => part !== undefined)
  const sentence = parts.filter((part) => part !== '').map((part) => part.replace(/\.$/, ''))
  return `${sentence.join('. ')}. ${address} (${words.accessed(readOn)}).`
}

function bibtexOf({ author, title, publishedOn, readOn, address, page }: CitedPublication): string {
  const slug = new URL(address).pathname.split('/').at(-1) ?? ''
  const fields: [name: string, value: string | undefined][] = [
    // Braces keep a name of an organisation in one piece, and the capitals of a title as they are.
    ['author', author && `{${escapedTex(author)}}`],
    ['title', `{${escapedTex(title)}}`],
    ['year', publishedOn.slice(0, 4)],
    ['pages', page && escapedTex(page)],
    ['url', address],
    ['urldate', readOn],
  ]
  const lines = fields.filter(([, value]) => value).map(([name, value]) => `  ${name} = {${value}}`)
  return `@misc{${slug.replace(/[^\w-]/g, '') || 'publication'},\n${lines.join(',\n')}\n}\n`
}

/** Escapes the characters that TeX gives a meaning. */
function escapedTex(text: string): string {
  const named: Record<string, string> = {
    '\\': '\\textbackslash{}',
    '~': '\\textasciitilde{}',
    '^': '\\textasciicircum{}',
  }
  return text.replace(/[\\~^&%$#_{}]/g, (character) => named[character] ?? `\\${character}`)
}

function risOf({ author, title, publishedOn, readOn, address, page }: CitedPublication): string {
  const slashed = (date: string) => date.replaceAll('-', '/')
  const fields: [tag: string, value: string | undefined][] = [
    ['TY', 'ELEC'],
    ['AU', author],
    ['TI', title],
    ['PY', publishedOn.slice(0, 4)],
    ['DA', slashed(publishedOn)],
    ['SP', page],
    ['UR', address],
    ['Y2', slashed(readOn)],
  ]
  const lines = fields.filter(([, value]) => value).map(([tag, value]) => `${tag}  - ${value!.replace(/\s+/g, ' ')}`)
  return `${lines.join('\r\n')}\r\nER  - \r\n`
}
