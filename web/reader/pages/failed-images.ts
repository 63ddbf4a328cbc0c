import { focusPage, pageOf } from '../document/loaded-pages.ts'
import { asFailure, RequestFailure, request } from '../document/request-failure.ts'
import { element } from '../elements.ts'
import type { ReaderTranslate } from '../texts.ts'
import { hasFailed, hasLoaded, imageElements, reloadImage, sectionOfImage } from './page-image.ts'
import type { ReaderDeps } from './reader-deps.ts'

/** Readers are told that a page is loading once they have waited this long. */
const PATIENCE_MS = 4_000
/** Pause before the first retry; each further one doubles it. */
const FIRST_RETRY_SEC = 2
const MAX_RETRY_SEC = 60
/** The server answers within 30 seconds, also for a page that is still being rendered. */
const ANSWER_WITHIN_MS = 45_000
/** An image that arrives and yet cannot be shown is not requested over and over. */
const MAX_UNREADABLE = 2

type Failed = {
  tries: number
  unreadable: number
  isAsking: boolean
  timer?: ReturnType<typeof setTimeout>
  /** Time by `performance.now()` before which the server asked not to be asked again. */
  notBeforeMs: number
}

/**
 * Says in its place why a page has no image, and loads it after all: after a while, when it comes into view, when the
 * connection is back, and by a button. `shown` returns the pages being read.
 */
export function retryFailedImages(deps: ReaderDeps, shown: () => number[]): void {
  const { main, pages, nearPages } = deps
  const images = new FailedImages(deps, shown)
  const listen = (type: 'load' | 'error', handle: (section: HTMLElement) => void) =>
    main.addEventListener(
      type,
      ({ target }) => {
        const section = sectionOfImage(target)
        if (section !== undefined) handle(section)
      },
      true,
    )
  listen('load', (section) => images.handleLoad(section))
  listen('error', (section) => void images.handleError(section))
  addEventListener('online', () => images.retryNear())
  pages.subscribe(() => images.forget())
  nearPages.subscribe((section) => images.handleNear(section))
}

class FailedImages {
  readonly #deps: ReaderDeps
  readonly #shown: () => number[]
  readonly #failed = new Map<HTMLElement, Failed>()
  /** The reason that screen readers were told last, until a page loads again. */
  #announced: string | undefined

  constructor(deps: ReaderDeps, shown: () => number[]) {
    this.#deps = deps
    this.#shown = shown
  }

  async handleError(section: HTMLElement): Promise<void> {
    const state = this.#failed.get(section) ?? { tries: 0, unreadable: 0, isAsking: false, notBeforeMs: 0 }
    this.#failed.set(section, state)
    if (state.isAsking) return
    state.isAsking = true
    const failure = await askWhy(section)
    state.isAsking = false
    if (!section.isConnected || this.#failed.get(section) !== state) return
    if (failure === undefined && ++state.unreadable <= MAX_UNREADABLE) return reloadImage(section)
    this.#report(section, state, failure ?? new RequestFailure('failed'))
  }

  handleLoad(section: HTMLElement): void {
    const state = this.#failed.get(section)
    clearTimeout(state?.timer)
    this.#failed.delete(section)
    section.classList.remove('failed')
    removeNotice(section)
    if (state === undefined || this.#announced === undefined || !this.#isShown(section)) return
    this.#announced = undefined
    this.#deps.announce(this.#deps.t('pageLoaded', { page: pageOf(section) }), true)
  }

  handleNear(section: HTMLElement): void {
    const state = this.#failed.get(section)
    if (state !== undefined) this.#retryUnlessAskedToWait(section, state)
    else if (hasFailed(section)) void this.handleError(section)
    else setTimeout(() => this.#sayThatItLoads(section), PATIENCE_MS)
  }

  retryNear(): void {
    for (const section of this.#deps.nearPages.near()) if (this.#failed.has(section)) reloadImage(section)
  }

  /** Forgets the pages of a part of the document that has been removed. */
  forget(): void {
    for (const [section, { timer }] of this.#failed) {
      if (section.isConnected) continue
      clearTimeout(timer)
      this.#failed.delete(section)
    }
  }

  #report(section: HTMLElement, state: Failed, failure: RequestFailure): void {
    const retry = failure.reason === 'gone' ? () => location.reload() : () => this.#retryNow(section)
    section.classList.add('failed')
    showNotice(section, failureNotice(section, failure, this.#deps.t), retry)
    state.tries++
    clearTimeout(state.timer)
    state.notBeforeMs = performance.now() + (failure.retryAfterSec ?? 0) * 1_000
    const pauseSec = Math.min(FIRST_RETRY_SEC * 2 ** (state.tries - 1), MAX_RETRY_SEC)
    if (failure.reason !== 'gone' && state.unreadable <= MAX_UNREADABLE)
      state.timer = setTimeout(() => this.#retryIfNear(section), Math.max(failure.retryAfterSec ?? 0, pauseSec) * 1_000)
    this.#announceOnce(section, failure.reason)
  }

  /** Tells screen readers about the page being read, and about each reason once until a page loads again. */
  #announceOnce(section: HTMLElement, reason: string): void {
    if (this.#announced === reason || !this.#isShown(section)) return
    this.#announced = reason
    this.#deps.announce(noticeText(section), true)
  }

  #retryNow(section: HTMLElement): void {
    const state = this.#failed.get(section)
    if (state === undefined) return
    clearTimeout(state.timer)
    Object.assign(state, { tries: 0, unreadable: 0 })
    // A repeated press is answered, too.
    this.#announced = undefined
    const notice = { ...waitingNotice(section, this.#deps.t), button: this.#deps.t('tryAgain') }
    showNotice(section, notice, () => this.#retryNow(section))
    reloadImage(section)
  }

  /** The answer to a request that is under way decides the next step. */
  #retryUnlessAskedToWait(section: HTMLElement, { isAsking, notBeforeMs }: Failed): void {
    if (!isAsking && performance.now() >= notBeforeMs) reloadImage(section)
  }

  #retryIfNear(section: HTMLElement): void {
    if (this.#deps.nearPages.near().includes(section)) reloadImage(section)
  }

  #sayThatItLoads(section: HTMLElement): void {
    const isNear = this.#deps.nearPages.near().includes(section)
    if (!isNear || hasLoaded(section) || this.#failed.has(section)) return
    showNotice(section, waitingNotice(section, this.#deps.t), () => reloadImage(section))
  }

  #isShown(section: HTMLElement): boolean {
    return this.#shown().includes(pageOf(section))
  }
}

/**
 * Requests the image of a page once more, for the reason of its failure; undefined
 * if it has arrived, in the browser's cache.
 */
async function askWhy(section: HTMLElement): Promise<RequestFailure | undefined> {
  const address = imageElements(section).image?.currentSrc
  if (!address) return undefined
  try {
    const response = await request(address, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) })
    await response.arrayBuffer()
    return undefined
  } catch (error) {
    if (error instanceof DOMException) return new RequestFailure('unreachable')
    return asFailure(error)
  }
}

/** The message in the place of a page without its image. */
type PageNotice = { title: string; detail: string; button?: string }

/** Says that a page is on its way, for readers who have waited a while. */
function waitingNotice(section: HTMLElement, t: ReaderTranslate): PageNotice {
  const page = pageOf(section)
  if (isBeingPrepared()) return { title: t('pagePreparing', { page }), detail: t('pagePreparingDetail') }
  return { title: t('pageLoading', { page }), detail: '', button: t('tryAgain') }
}

/** Says why a page could not be loaded, and when it is tried again. */
function failureNotice(section: HTMLElement, failure: RequestFailure, t: ReaderTranslate): PageNotice {
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
function showNotice(section: HTMLElement, { title, detail, button }: PageNotice, onClick: () => void): void {
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
function removeNotice(section: HTMLElement): void {
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
