import { aspectOf, pageOf } from '../document/loaded-pages.ts'
import { pageFromHash } from '../document/reading-position.ts'
import { element } from '../elements.ts'
import type { ReaderDeps } from '../pages/reader-deps.ts'
import type { Viewer } from '../pages/viewer.ts'
import type { Word } from '../pages/words.ts'
import { findPassage, mark } from './find-on-page.ts'

/** Words of a passage at its start, and at its end, by which an address names it. */
const NAMED_WORDS = 6
/** Longest text of an address that is looked up. */
const MAX_CHARACTERS = 200

/** A passage of a page by its first and last words; the last are empty if the first are all of it. */
export type Passage = { page: number; first: string; last: string }

/** Names a passage by the words of a selection. A word that is hyphenated at the end of a line is whole. */
export function passageOf({ page, text }: { page: number; text: string }): Passage {
  const words = text
    .replace(/(\p{L})-\n(?=\p{Ll})/gu, '$1')
    .split(/\s+/)
    .filter((word) => word !== '')
  if (words.length <= 2 * NAMED_WORDS) return { page, first: words.join(' '), last: '' }
  return { page, first: words.slice(0, NAMED_WORDS).join(' '), last: words.slice(-NAMED_WORDS).join(' ') }
}

/** Returns the address of a passage: `/p/rivers?passage=From+the+spring&page=12`. */
export function passageAddress(publication: string, { page, first, last }: Passage): string {
  const address = new URL(publication)
  for (const part of [first, last]) if (part !== '') address.searchParams.append('passage', part)
  address.searchParams.set('page', String(page))
  return address.href
}

/** Returns the passage that an address names, with `&page=12` or `#page-12`; undefined if it names none. */
export function passageInAddress({ searchParams, hash }: URL): Passage | undefined {
  const [first = '', last = ''] = searchParams.getAll('passage').map((part) => part.slice(0, MAX_CHARACTERS))
  const page = pageFromHash(hash) ?? pageFromHash(`#page-${searchParams.get('page')}`)
  return page === undefined || first.trim() === '' ? undefined : { page, first, last }
}

/**
 * Marks a passage whenever its page is near, and brings it into view. Once the reader has left the page, its address
 * does not name the passage any more.
 * @returns whether the page has the passage; it may have been replaced
 */
export async function openPassage(deps: ReaderDeps, viewer: Viewer, passage: Passage): Promise<boolean> {
  const { nearPages, pages, wordsOf, store, t, announce } = deps
  const words = await wordsOf(passage.page).catch((): Word[] => [])
  const section = pages.section(passage.page)
  const boxes = section ? findPassage(words, passage.first, passage.last, aspectOf(section)) : []
  nearPages.subscribe((section) => {
    if (pageOf(section) !== passage.page || section.querySelector('.passage') !== null) return
    const marks = boxes.map((box) => mark(box, false))
    section.querySelector('.links')?.before(element('div', { class: 'hits passage', 'aria-hidden': 'true' }, ...marks))
  })
  store.subscribe(({ page }) => {
    if (page !== passage.page) forgetPassage()
  })
  if (boxes.length === 0) return false
  viewer.reveal(passage.page, boxes[0])
  announce(t('passageMarked', { text: passage.last === '' ? passage.first : `${passage.first} … ${passage.last}` }))
  return true
}

function forgetPassage(): void {
  const address = new URL(location.href)
  if (!address.searchParams.has('passage')) return
  address.searchParams.delete('passage')
  history.replaceState(history.state, '', address)
}
