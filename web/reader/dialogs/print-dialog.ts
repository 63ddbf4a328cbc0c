import { type PageSummary, readPageList } from '../document/loaded-pages.ts'
import { asFailure, request } from '../document/request-failure.ts'
import { element, makeDialog } from '../elements.ts'
import { failureText } from '../messages.ts'
import type { ReaderDeps } from '../pages/reader-deps.ts'

type Range = { from: number; to: number }

/** Asks which pages to print, then prints them: up to a limit as images, a longer document as the PDF. */
export function openPrint(deps: ReaderDeps, shown: readonly number[]): void {
  const { data, t, pages, announce } = deps
  const { form, chosenRange, submit, problem } = printForm(deps, shown)
  const dialog = makeDialog(t('printTitle'), t('cancel'), form)
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    const range = chosenRange({ from: shown[0], to: shown[shown.length - 1] })
    if (range === undefined || submit.hasAttribute('aria-disabled')) return
    submit.setAttribute('aria-disabled', 'true')
    submit.textContent = t('preparing')
    problem.textContent = ''
    announce(t('preparing'))
    const isOpen = () => dialog.open
    try {
      const missing = isAsPdf(range)
        ? await openPdf(`${data.api}/pdf`)
        : await printSheets(await readPageList(pages, data), range, isOpen)
      if (!missing) return dialog.close()
      problem.textContent = t('printFailed', { count: missing })
    } catch (error) {
      problem.textContent = `${t('loadFailed')} ${failureText(asFailure(error), t)}`
    }
    submit.removeAttribute('aria-disabled')
    submit.textContent = t('tryAgain')
  })
  dialog.showModal()

  function isAsPdf({ from, to }: Range): boolean {
    return from === 1 && to === data.pageCount && to > MAX_PRINTED_PAGES
  }
}

function printForm({ t, data: { pageCount } }: ReaderDeps, shown: readonly number[]) {
  const first = pageNumber('from', t('printFrom'), pageCount, shown[0])
  const last = pageNumber('to', t('printTo'), pageCount, Math.min(shown[0] + MAX_PRINTED_PAGES - 1, pageCount))
  const range = radio('range', t('printRange'), false)
  const submit = element('button', { type: 'submit', class: 'button' }, t('print'))
  const problem = element('p', { class: 'problem', role: 'alert' })
  const isLong = pageCount > MAX_PRINTED_PAGES
  const form = element(
    'form',
    { class: 'print' },
    radio('current', shown.length > 1 ? t('printCurrentTwo') : t('printCurrent'), true),
    element('div', { class: 'range' }, range, first, element('span', { 'aria-hidden': 'true' }, '–'), last),
    isLong ? element('p', { class: 'hint' }, t('printHint', { max: MAX_PRINTED_PAGES })) : undefined,
    radio('whole', t('printWhole'), false),
    isLong ? element('p', { class: 'hint' }, t('printPdfHint', { count: pageCount })) : undefined,
    problem,
    submit,
  )
  for (const input of [first, last]) {
    input.addEventListener('focus', () => {
      range.querySelector('input')!.checked = true
    })
    input.addEventListener('input', () => last.setCustomValidity(''))
  }

  /** Returns the chosen pages; undefined if they are too many to print at once, which the field then reports. */
  function chosenRange(current: Range): Range | undefined {
    const choice = new FormData(form).get('choice')
    if (choice === 'whole') return { from: 1, to: pageCount }
    if (choice === 'current') return current
    const [a, b] = [Number(first.value), Number(last.value)]
    if (Math.abs(b - a) < MAX_PRINTED_PAGES) return { from: Math.min(a, b), to: Math.max(a, b) }
    last.setCustomValidity(t('printHint', { max: MAX_PRINTED_PAGES }))
    last.reportValidity()
    return undefined
  }

  return { form, chosenRange, submit, problem }
}

function radio(value: string, label: string, checked: boolean): HTMLElement {
  const input = element('input', { type: 'radio', name: 'choice', value, checked, autofocus: checked })
  return element('label', { class: 'choice' }, input, element('span', {}, label))
}

function pageNumber(name: string, label: string, max: number, value: number): HTMLInputElement {
  return element('input', { type: 'number', name, 'aria-label': label, value, min: 1, max, required: true })
}

/** Pages printed as images at a time, which browsers handle well. */
const MAX_PRINTED_PAGES = 100

/**
 * Prints pages of the document, each on its own sheet, once all their images are loaded.
 * @param isWanted returns false if printing has been cancelled meanwhile
 * @returns the number of pages that could not be loaded, for which nothing is printed
 */
async function printSheets(
  pageList: readonly PageSummary[],
  { from, to }: { from: number; to: number },
  isWanted: () => boolean,
): Promise<number> {
  const pages = pageList.filter(({ page }) => page >= from && page <= to)
  const images = pages.map(({ page, image }) => element('img', { src: image, alt: '', 'data-page': page }))
  const loading = await Promise.allSettled(images.map((image) => image.decode()))
  const missing = loading.filter(({ status }) => status === 'rejected').length
  if (!isWanted() || missing > 0) return missing
  const sheets = element('div', { class: 'print-sheets' }, ...images.map((image) => element('div', {}, image)))
  document.body.append(sheets)
  addEventListener('afterprint', () => sheets.remove(), { once: true })
  print()
  return 0
}

/**
 * Opens the PDF in a new tab, or in this one if the browser blocks it.
 * @throws RequestFailure if the request for its address fails
 */
async function openPdf(address: string): Promise<void> {
  // Browsers allow a new tab only during the click, and the address is known later.
  const tab = open('about:blank')
  try {
    const response = await request(address)
    const { url } = (await response.json()) as { url: string }
    if (tab === null) return location.assign(url)
    tab.opener = null
    tab.location.href = url
  } catch (error) {
    tab?.close()
    throw error
  }
}
