import { element } from '../ui/elements.ts'
import { pageOf } from './loaded-pages.ts'
import type { NearPages } from './near-pages.ts'
import type { Word } from './page-words.ts'

/** Who stays for so long on a page may want to have some of its text; who hurries past does not. */
const SETTLED_MS = 200
/** What the widths of words are measured at; only proportions matter. */
const MEASURED_PX = 100
const FONT = 'sans-serif'

/**
 * Lays the words of pages over their images, unseen, so that text can be selected where it is seen. Screen readers and
 * the browser's own search have the page's text already.
 */
export function layText(nearPages: NearPages, wordsOf: (page: number) => Promise<Word[]>): void {
  nearPages.follow(
    async (section) => {
      await new Promise((resolve) => setTimeout(resolve, SETTLED_MS))
      if (!nearPages.near().includes(section)) return
      const words = await wordsOf(pageOf(section)).catch(() => [])
      if (words.length === 0 || !nearPages.near().includes(section) || section.querySelector('.words')) return
      section.querySelector('.links')?.before(makeLayer(section, words))
    },
    (section) => {
      if (!hasSelection(section)) section.querySelector('.words')?.remove()
    },
  )
  document.addEventListener('copy', copyText)
}

function makeLayer(section: HTMLElement, words: readonly Word[]): HTMLElement {
  const aspect = Number(section.dataset.height) / Number(section.dataset.width)
  const layer = element('div', { class: 'words', 'aria-hidden': 'true', dir: 'ltr', translate: 'no' })
  const measure = document.createElement('canvas').getContext('2d')!
  measure.font = `${MEASURED_PX}px ${FONT}`
  for (const word of words) layer.append(makeWord(word, aspect, measure))
  // Below the words: what is between them belongs to no word, and selects nothing.
  layer.append(element('div', { class: 'words-ground' }))
  keepSelectionSteady(layer)
  return layer
}

function makeWord(
  { text, line, x, y, width, height }: Word,
  aspect: number,
  measure: CanvasRenderingContext2D,
): HTMLElement {
  const word = element('span', { 'data-line': line }, text)
  const { style } = word
  style.left = `${x * 100}%`
  style.top = `${y * 100}%`
  // In parts of the layer's width, so that the text grows with the page.
  const fontSize = height * aspect
  style.fontSize = `${fontSize * 100}cqw`
  const natural = (measure.measureText(text).width / MEASURED_PX) * fontSize
  if (natural > 0) style.transform = `scaleX(${width / natural})`
  return word
}

/** While the pointer is down, the ground takes what lies between words, so that the selection does not jump to its end. */
function keepSelectionSteady(layer: HTMLElement): void {
  layer.addEventListener('pointerdown', ({ target }) => {
    if (target === layer || (target as Element).matches('.words-ground')) return
    layer.classList.add('selecting')
    addEventListener('pointerup', () => layer.classList.remove('selecting'), { once: true })
    addEventListener('pointercancel', () => layer.classList.remove('selecting'), { once: true })
  })
}

function hasSelection(section: HTMLElement): boolean {
  const selection = getSelection()
  return selection !== null && !selection.isCollapsed && selection.containsNode(section, true)
}

/** Copies words as they stand: a space between them, a line for a line, an empty one between pages. */
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

export function selectedText(range: Range): string {
  let text = ''
  let before: HTMLElement | undefined
  for (const word of document.querySelectorAll<HTMLElement>('.words > span')) {
    if (!range.intersectsNode(word)) continue
    const node = word.firstChild as Text
    const from = range.startContainer === node ? range.startOffset : 0
    const to = range.endContainer === node ? range.endOffset : node.length
    if (from >= to) continue
    if (before !== undefined) text += separator(before, word)
    text += node.data.slice(from, to)
    before = word
  }
  return text
}

function separator(before: HTMLElement, after: HTMLElement): string {
  if (before.parentNode !== after.parentNode) return '\n\n'
  return before.dataset.line === after.dataset.line ? ' ' : '\n'
}
