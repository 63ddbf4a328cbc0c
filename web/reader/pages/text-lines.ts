/** Distance from the edge of the text at which its lines are looked up. */
const INSET_PX = 4

/**
 * Returns the first character of the line of a page's text at a height of the screen, counted from
 * the start of the text, and the part of the line above that height. Undefined if there is no text.
 * Works with any elements inside the text.
 */
export function characterAt(section: HTMLElement, y: number): { character: number; within: number } | undefined {
  const text = section.querySelector('.text')
  if (text === null) return undefined
  const { left, right, top, bottom } = text.getBoundingClientRect()
  const { paddingLeft, paddingRight, direction } = getComputedStyle(text)
  const isRightToLeft = direction === 'rtl'
  const x = isRightToLeft ? right - parseFloat(paddingRight) - INSET_PX : left + parseFloat(paddingLeft) + INSET_PX
  const caret = caretAt(x, Math.min(Math.max(y, top + 1), bottom - 1))
  if (caret === undefined || !text.contains(caret.node)) return undefined
  const before = document.createRange()
  before.setStart(text, 0)
  before.setEnd(caret.node, caret.offset)
  const character = before.toString().length
  const line = lineOfCharacter(section, character)
  return line && { character, within: (y - line.top) / (line.height || 1) }
}

/** Returns the box of a character of a page's text on the screen; undefined if the page has no text. */
export function lineOfCharacter(section: HTMLElement, character: number): DOMRect | undefined {
  const text = section.querySelector('.text')
  if (text === null) return undefined
  const walker = document.createTreeWalker(text, NodeFilter.SHOW_TEXT)
  const range = document.createRange()
  let start = 0
  for (let node = walker.nextNode() as Text | null; node !== null; node = walker.nextNode() as Text | null) {
    const end = start + node.length
    if (character < end && node.data.trim() !== '') {
      range.setStart(node, Math.max(character - start, 0))
      range.setEnd(node, Math.min(Math.max(character - start, 0) + 1, node.length))
      return range.getClientRects()[0] ?? range.getBoundingClientRect()
    }
    start = end
  }
  return undefined
}

/** Finds the position in the text at a point of the screen; browsers have two functions for it. */
function caretAt(x: number, y: number): { node: Node; offset: number } | undefined {
  if (document.caretPositionFromPoint !== undefined) {
    const found = document.caretPositionFromPoint(x, y)
    return found === null ? undefined : { node: found.offsetNode, offset: found.offset }
  }
  const range = document.caretRangeFromPoint?.(x, y)
  return range ? { node: range.startContainer, offset: range.startOffset } : undefined
}
