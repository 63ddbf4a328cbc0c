import { focusPage } from '../document/focus-page.ts'
import { pageOf } from '../document/loaded-pages.ts'
import type { RequestFailure } from '../requests/request-failure.ts'
import { element } from '../ui/elements.ts'
import type { ReaderTexts } from '../ui/texts.ts'

/** The message in the place of a page without its image. */
type PageNotice = { title: string; detail: string; button?: string }

/** Says that a page is on its way, for readers who have waited a while. */
export function waitingNotice(section: HTMLElement, texts: ReaderTexts): PageNotice {
  const page = pageOf(section)
  if (isBeingPrepared()) return { title: texts.pagePreparing(page), detail: texts.pagePreparingDetail }
  return { title: texts.pageLoading(page), detail: '', button: texts.tryAgain }
}

/** Says why a page could not be loaded, and what happens next. */
export function failureNotice(section: HTMLElement, failure: RequestFailure, texts: ReaderTexts): PageNotice {
  const page = pageOf(section)
  if (failure.reason === 'busy' && isBeingPrepared())
    return { title: texts.pagePreparing(page), detail: texts.pagePreparingDetail, button: texts.tryAgain }
  const button = failure.reason === 'gone' ? texts.reload : texts.tryAgain
  return {
    title: texts.pageNotLoaded(page),
    detail: `${texts.failures[failure.reason]} ${next(failure, texts)}`.trim(),
    button,
  }
}

/** Says when the page will be requested again without the reader. */
function next({ reason, retryAfterSec }: RequestFailure, texts: ReaderTexts): string {
  if (reason === 'offline' || reason === 'unreachable') return texts.retries[reason]
  return retryAfterSec === undefined || reason === 'gone' ? '' : texts.retriesIn(retryAfterSec)
}

/** Shows a notice in the place of a page's image. The button keeps the focus when the notice changes. */
export function showNotice(section: HTMLElement, { title, detail, button }: PageNotice, onClick: () => void): void {
  const sheet = section.querySelector('.sheet')
  if (sheet === null) return
  let notice = sheet.querySelector<HTMLElement>('.page-notice')
  if (notice === null) {
    const action = element('button', { type: 'button', class: 'button' })
    const lines = element('div', {}, element('p', {}, element('strong')), element('p'), action)
    notice = element('div', { class: 'page-notice' }, lines)
    sheet.append(notice)
  }
  const [first, second] = notice.querySelectorAll('p')
  first.firstElementChild!.textContent = title
  second.textContent = detail
  const action = notice.querySelector('button')!
  action.textContent = button ?? ''
  action.hidden = button === undefined
  action.onclick = onClick
}

/** Removes the notice of a page. The focus moves from its button to the page. */
export function removeNotice(section: HTMLElement): void {
  const notice = section.querySelector('.page-notice')
  if (notice?.contains(document.activeElement)) focusPage(section)
  notice?.remove()
}

/** Returns the text of a page's notice; empty if its image is there. */
export function noticeText(section: HTMLElement | undefined): string {
  const lines = [...(section?.querySelectorAll('.page-notice p') ?? [])].map(({ textContent }) => textContent ?? '')
  return lines.filter((line) => line !== '').join('. ')
}

/** Returns whether pages of the document are still being rendered, as the banner of the page says. */
function isBeingPrepared(): boolean {
  return document.querySelector('#progress .rest') !== null
}
