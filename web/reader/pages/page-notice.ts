import { focusPage, pageOf } from '../document/loaded-pages.ts'
import type { RequestFailure } from '../document/request-failure.ts'
import { element } from '../elements.ts'
import type { ReaderTranslate } from '../texts.ts'

/** The message in the place of a page without its image. */
type PageNotice = { title: string; detail: string; button?: string }

/** Says that a page is on its way, for readers who have waited a while. */
export function waitingNotice(section: HTMLElement, t: ReaderTranslate): PageNotice {
  const page = pageOf(section)
  if (isBeingPrepared()) return { title: t('pagePreparing', { page }), detail: t('pagePreparingDetail') }
  return { title: t('pageLoading', { page }), detail: '', button: t('tryAgain') }
}

/** Says why a page could not be loaded, and when it is tried again. */
export function failureNotice(section: HTMLElement, failure: RequestFailure, t: ReaderTranslate): PageNotice {
  const page = pageOf(section)
  if (failure.reason === 'busy' && isBeingPrepared())
    return { title: t('pagePreparing', { page }), detail: t('pagePreparingDetail'), button: t('tryAgain') }
  const button = failure.reason === 'gone' ? t('reload') : t('tryAgain')
  return {
    title: t('pageNotLoaded', { page }),
    detail: `${t(`failures.${failure.reason}`)} ${next(failure, t)}`.trim(),
    button,
  }
}

/** Says when the page will be requested again without the reader. */
function next({ reason, retryAfterSec }: RequestFailure, t: ReaderTranslate): string {
  if (reason === 'offline' || reason === 'unreachable') return t(`retries.${reason}`)
  return retryAfterSec === undefined || reason === 'gone' ? '' : t('retriesIn', { seconds: retryAfterSec })
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
