import { SaxesParser } from 'saxes'

/** An element that closes: its name and attributes without prefixes, and the text directly in it, trimmed. */
export type XmlElement = { name: string; attributes: ReadonlyMap<string, string>; text: string }

/** Callbacks for the parts of a document; `parents` are the names from the root down to the element's parent. */
type XmlVisitor = {
  open?: (element: Omit<XmlElement, 'text'>, parents: readonly string[]) => void
  close: (element: XmlElement, parents: readonly string[]) => void
}

/**
 * Reads a document from start to end. Prefixes are dropped and need not be declared, because devices write namespaces
 * they do not declare. Throws when the document is not well-formed.
 */
export function walkXml(document: string, { open, close }: XmlVisitor): void {
  const parser = new SaxesParser({ xmlns: false })
  const names: string[] = []
  const elements: { name: string; attributes: Map<string, string>; text: string }[] = []
  parser.on('error', (error) => {
    throw new Error(`not well-formed XML: ${error.message}`, { cause: error })
  })
  parser.on('opentag', ({ name, attributes }) => {
    const pairs = Object.entries(attributes).map(([key, value]) => [localName(key), value] as const)
    const element = { name: localName(name), attributes: new Map(pairs), text: '' }
    open?.(element, names)
    names.push(element.name)
    elements.push(element)
  })
  const addText = (text: string) => {
    const element = elements.at(-1)
    if (element !== undefined) element.text += text
  }
  parser.on('text', addText)
  parser.on('cdata', addText)
  parser.on('closetag', () => {
    names.pop()
    const { name, attributes, text } = elements.pop()!
    close({ name, attributes, text: text.trim() }, names)
  })
  parser.write(document).close()
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}
