import { FIRST_OBJECT, makePdf, pageReference } from './make-pdf.ts'

/** An element of a structure tree: its type, additional entries in PDF syntax, and its content; numbers are marks. */
export type MadeElement = { type: string; entries?: string; content: (MadeElement | number)[] }

/**
 * Makes a page that describes its structure: `lines` are its lines of text, of which each is marked with its
 * number, and `elements` are the structure tree.
 */
export function taggedPdf(lines: readonly string[], elements: readonly MadeElement[], catalog = ''): Buffer {
  const objects: string[] = []
  const reference = (at: number) => `${FIRST_OBJECT + at} 0 R`
  const parents: string[] = []

  function write({ type, entries = '', content }: MadeElement, parent: string): string {
    const at = objects.push('') - 1
    const kids = content.map((part) => {
      if (typeof part !== 'number') return write(part, reference(at))
      parents[part] = reference(at)
      return String(part)
    })
    objects[at] =
      `<< /Type /StructElem /S /${type} /P ${parent} /Pg ${pageReference(1)} /K [${kids.join(' ')}] ${entries} >>`
    return reference(at)
  }

  const root = objects.push('') - 1
  const kids = elements.map((element) => write(element, reference(root)))
  const tree = `<< /Nums [0 [${lines.map((_, mark) => parents[mark] ?? 'null').join(' ')}]] >>`
  objects[root] = `<< /Type /StructTreeRoot /K [${kids.join(' ')}] /ParentTree ${tree} >>`
  const content = lines.map(
    (line, mark) => `/Span << /MCID ${mark} >> BDC BT /F1 12 Tf 72 ${740 - 16 * mark} Td (${line}) Tj ET EMC`,
  )
  return makePdf({
    pages: [{ content: content.join('\n'), entries: '/StructParents 0' }],
    catalog: `/MarkInfo << /Marked true >> /StructTreeRoot ${reference(root)} ${catalog}`,
    objects,
  })
}
