import assert from 'node:assert/strict'
import { SaxesParser } from 'saxes'

/** An element of a page; children are elements and texts in their order. */
export type HtmlElement = { name: string; attributes: Record<string, string>; children: (HtmlElement | string)[] }

const VOID = /<(meta|link|img|input|source|br|hr)\b([^>]*)>/g

/**
 * Parses a page of the server, which is stricter than HTML: every element that is not void is closed, every attribute
 * quoted, every `<` and `&` escaped. Throws otherwise, because inserted text must never change the structure.
 */
export function parseHtml(text: string): HtmlElement {
  const [doctype, ...lines] = text.split('\n')
  assert.equal(doctype, '<!doctype html>')
  return parseXml(lines.join('\n').replace(VOID, '<$1$2/>'))
}

/** Parses XML into the same form. */
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

/** Returns all descendants with this name and these attributes, in document order. */
export function findAll(root: HtmlElement, name: string, attributes: Record<string, string> = {}): HtmlElement[] {
  const below = root.children.flatMap((child) => (typeof child === 'string' ? [] : findAll(child, name, attributes)))
  const fits = Object.entries(attributes).every(([key, value]) => root.attributes[key] === value)
  return root.name === name && fits ? [root, ...below] : below
}

/** Returns the only element with this name and these attributes. */
export function findOne(root: HtmlElement, name: string, attributes: Record<string, string> = {}): HtmlElement {
  const found = findAll(root, name, attributes)
  assert.equal(found.length, 1, `${found.length} elements are ${name} ${JSON.stringify(attributes)}`)
  return found[0]
}

/** Returns all text within an element, with white space collapsed. */
export function textOf(element: HtmlElement): string {
  const text = element.children.map((child) => (typeof child === 'string' ? child : textOf(child))).join('')
  return text.replace(/\s+/g, ' ').trim()
}
