import assert from 'node:assert/strict'
import { SaxesParser } from 'saxes'

/** An element of a page; children are elements and texts in their order. */
export type HtmlElement = { name: string; attributes: Record<string, string>; children: (HtmlElement | string)[] }

const VOID = /<(meta|link|img|input|source|br|hr)\b([^>]*)>/g

/**
 * Reads a page of ours, which is stricter than HTML has to be: every element that is not void is closed, every attribute
 * quoted, every `<` and `&` escaped. Throws where it is not so, as nothing that was put in may change the structure.
 */
export function parseHtml(text: string): HtmlElement {
  const [doctype, ...lines] = text.split('\n')
  assert.equal(doctype, '<!doctype html>')
  return parseXml(lines.join('\n').replace(VOID, '<$1$2/>'))
}

/** Reads XML into the same form. */
export function parseXml(text: string): HtmlElement {
  const root: HtmlElement = { name: '', attributes: {}, children: [] }
  const open = [root]
  const parser = new SaxesParser()
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ name, attributes }) => {
    const element = { name, attributes: { ...attributes }, children: [] }
    open.at(-1)!.children.push(element)
    open.push(element)
  })
  parser.on('text', (part) => open.at(-1)!.children.push(part))
  parser.on('closetag', () => open.pop())
  parser.write(text).close()
  return root.children.find((child) => typeof child !== 'string')!
}

/** All elements of a name within one, in their order, and with these attributes. */
export function findAll(root: HtmlElement, name: string, attributes: Record<string, string> = {}): HtmlElement[] {
  const below = root.children.flatMap((child) => (typeof child === 'string' ? [] : findAll(child, name, attributes)))
  const fits = Object.entries(attributes).every(([key, value]) => root.attributes[key] === value)
  return root.name === name && fits ? [root, ...below] : below
}

/** The one element of a name with these attributes. */
export function findOne(root: HtmlElement, name: string, attributes: Record<string, string> = {}): HtmlElement {
  const found = findAll(root, name, attributes)
  assert.equal(found.length, 1, `${found.length} elements are ${name} ${JSON.stringify(attributes)}`)
  return found[0]
}

/** All text within an element, with simple spaces. */
export function textOf(element: HtmlElement): string {
  const text = element.children.map((child) => (typeof child === 'string' ? child : textOf(child))).join('')
  return text.replace(/\s+/g, ' ').trim()
}
