import { aspectOf, type NearPages, pageOf } from '../document/loaded-pages.ts'
import { element } from '../elements.ts'
import { type Band, type Box, bandsOf, joinParts, placeOver, type Word } from './words.ts'

/** Pages passed faster than this get no text layer. */
const SETTLED_MS = 200
/** Font size at which words are measured; only the proportions matter. */
const MEASURED_PX = 100
const FONT = 'sans-serif'

/**
 * Lays the words of pages invisibly over their images, so that their text can be selected in place. Screen readers and
 * the browser's own search use the text of the HTML page.
 */
export function addTextLayers(nearPages: NearPages, wordsOf: (page: number) => Promise<Word[]>): void {
  const addLayer = async (section: HTMLElement) => {
    await new Promise((resolve) => setTimeout(resolve, SETTLED_MS))
    if (!nearPages.near().includes(section)) return
    const words = await wordsOf(pageOf(section)).catch(() => [])
    if (words.length === 0 || !nearPages.near().includes(section) || section.querySelector('.words')) return
    section.querySelector('.links')?.before(makeLayer(section, words))
  }
  nearPages.subscribe(addLayer, (section) => {
    if (!hasSelection(section)) section.querySelector('.words')?.remove()
  })
  // Pages that were reached without a connection have none yet.
  addEventListener('online', () => {
    for (const section of nearPages.near()) void addLayer(section)
  })
  document.addEventListener('copy', copyText)
  let isDue = false
  document.addEventListener('selectionchange', () => {
    if (isDue) return
    isDue = true
    requestAnimationFrame(() => {
      isDue = false
      showSelection()
    })
  })
}

function makeLayer(section: HTMLElement, words: readonly Word[]): HTMLElement {
  const aspect = aspectOf(section)
  const layer = element('div', { class: 'words', 'aria-hidden': 'true', dir: 'ltr', translate: 'no' })
  const measure = document.createElement('canvas').getContext('2d')!
  measure.font = `${MEASURED_PX}px ${FONT}`
  const bands = bandsOf(words)
  for (const [at, word] of words.entries()) {
    const isLast = word.line !== words[at + 1]?.line
    const placed = makeWord(word, aspect, measure, isLast ? '\n' : ' ')
    places.set(placed, { x: word.x, width: word.width, band: bands[at] })
    layer.append(placed)
  }
  // A backdrop below the words takes the gaps between them, which select nothing.
  layer.append(element('div', { class: 'words-backdrop' }))
  keepSelectionSteady(layer)
  return layer
}

/** Places of the words of layers. */
const places = new WeakMap<Element, { x: number; width: number; band: Band }>()

/** Shows the selected words of a line as one band. The browser would show each for itself, with gaps between them. */
function showSelection(): void {
  for (const shown of document.querySelectorAll('.words > .band')) shown.remove()
  const selection = getSelection()
  if (selection === null || selection.isCollapsed || selection.rangeCount === 0) return
  const range = selection.getRangeAt(0)
  for (const layer of document.querySelectorAll<HTMLElement>('.words')) {
    if (!range.intersectsNode(layer)) continue
    const aspect = layer.clientHeight / layer.clientWidth
    const parts = [...selectedWords(range, layer)].map(({ word, from, to, length }) => {
      const { x, width, band } = places.get(word)!
      return { x: x + (width * from) / length, width: (width * (to - from)) / length, band }
    })
    layer.prepend(...joinParts(parts, aspect).map(bandElement))
  }
}

function bandElement(box: Box): HTMLElement {
  const band = element('div', { class: 'band' })
  placeOver(band, box)
  return band
}

function makeWord(
  { text, line, x, y, width, height }: Word,
  aspect: number,
  measure: CanvasRenderingContext2D,
  /** Between words and lines, for all that reads the selection without copying it. */
  separator: string,
): HTMLElement {
  const word = element('span', { 'data-line': line }, text, element('span', { class: 'gap' }, separator))
  const { style } = word
  style.left = `${x * 100}%`
  style.top = `${y * 100}%`
  // Relative to the width of the layer, so that the text grows with the page.
  const fontSize = height * aspect
  style.fontSize = `${fontSize * 100}cqw`
  const natural = (measure.measureText(text).width / MEASURED_PX) * fontSize
  if (natural > 0) style.transform = `scaleX(${width / natural})`
  return word
}

/**
 * While the pointer is down, the backdrop covers the gaps, so that the selection does not jump to the end of the page.
 */
function keepSelectionSteady(layer: HTMLElement): void {
  layer.addEventListener('pointerdown', ({ target }) => {
    if (target === layer || (target as Element).matches('.words-backdrop')) return
    layer.classList.add('selecting')
    addEventListener('pointerup', () => layer.classList.remove('selecting'), { once: true })
    addEventListener('pointercancel', () => layer.classList.remove('selecting'), { once: true })
  })
}

function hasSelection(section: HTMLElement): boolean {
  const selection = getSelection()
  return selection !== null && !selection.isCollapsed && selection.containsNode(section, true)
}

/** Returns the page on which the selection begins, and its selected words; undefined if none are selected. */
export function selectedOnPage(): { page: number; text: string } | undefined {
  const selection = getSelection()
  if (selection === null || selection.isCollapsed || selection.rangeCount === 0) return undefined
  const [first] = selectedText(selection.getRangeAt(0)).split('\n\n')
  const words = [...document.querySelectorAll('.words > span')]
  const section = words.find((word) => selection.containsNode(word, true))?.closest<HTMLElement>('section.page')
  return section == null || first.trim() === '' ? undefined : { page: pageOf(section), text: first }
}

/** Copies the selected words with spaces between them, line breaks as on the page, and an empty line between pages. */
function copyText(event: ClipboardEvent): void {
  const selection = getSelection()
  if (selection === null || selection.isCollapsed || selection.rangeCount === 0) return
  const range = selection.getRangeAt(0)
  if (!isInLayer(range.startContainer) && !isInLayer(range.endContainer)) return
  const text = selectedText(range)
  if (text === '') return
  event.clipboardData?.setData('text/plain', text)
  event.preventDefault()
}

function isInLayer(node: Node): boolean {
  return (node instanceof Element ? node : node.parentElement)?.closest('.words') != null
}

function selectedText(range: Range): string {
  let text = ''
  let before: HTMLElement | undefined
  for (const { word, from, to } of selectedWords(range, document)) {
    if (before !== undefined) text += separator(before, word)
    text += (word.firstChild as Text).data.slice(from, to)
    before = word
  }
  return text
}

/** Yields the selected words within an element, and which of their letters are selected. */
function* selectedWords(range: Range, within: ParentNode) {
  for (const word of within.querySelectorAll<HTMLElement>('.words > span')) {
    if (!range.intersectsNode(word)) continue
    const node = word.firstChild as Text
    const from = range.startContainer === node ? range.startOffset : 0
    const to = range.endContainer === node ? range.endOffset : node.length
    if (from < to) yield { word, from, to, length: node.length }
  }
}

function separator(before: HTMLElement, after: HTMLElement): string {
  if (before.parentNode !== after.parentNode) return '\n\n'
  return before.dataset.line === after.dataset.line ? ' ' : '\n'
}
