import type { PageSummary } from '../document/page-list.ts'
import { asFailure } from '../requests/request-failure.ts'
import type { Announcer } from '../ui/announcer.ts'
import { makeDialog } from '../ui/dialog.ts'
import { element } from '../ui/elements.ts'
import { failureText } from '../ui/failure-text.ts'
import type { ReaderTexts } from '../ui/texts.ts'
import { openPdf } from './open-pdf.ts'
import { MAX_PRINTED_PAGES, printSheets } from './print-sheets.ts'

type Deps = {
  texts: ReaderTexts
  pageCount: number
  shown: number[]
  /** Lists all pages of the document. */
  listPages(): Promise<PageSummary[]>
  /** The API address that returns the address of the PDF. */
  pdf: string
  announce: Announcer
}

type Range = { from: number; to: number }

/** Asks which pages to print, then prints them: up to a limit as images, a longer document as the PDF. */
export function openPrint(deps: Deps): void {
  const { texts, pageCount, shown, announce } = deps
  const { form, chosenRange, submit, problem } = printForm(deps)
  const dialog = makeDialog(texts.printTitle, texts.cancel, form)
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    const range = chosenRange({ from: shown[0], to: shown[shown.length - 1] })
    if (range === undefined || submit.hasAttribute('aria-disabled')) return
    submit.setAttribute('aria-disabled', 'true')
    submit.textContent = texts.preparing
    problem.textContent = ''
    announce(texts.preparing)
    const isOpen = () => dialog.open
    try {
      const missing = isAsPdf(range)
        ? await openPdf(deps.pdf)
        : await printSheets(await deps.listPages(), range, isOpen)
      if (!missing) return dialog.close()
      problem.textContent = texts.printFailed(missing)
    } catch (error) {
      problem.textContent = `${texts.loadFailed} ${failureText(asFailure(error), texts)}`
    }
    submit.removeAttribute('aria-disabled')
    submit.textContent = texts.tryAgain
  })
  dialog.showModal()

  function isAsPdf({ from, to }: Range): boolean {
    return from === 1 && to === pageCount && pageCount > MAX_PRINTED_PAGES
  }
}

function printForm({ texts, pageCount, shown }: Deps) {
  const first = pageNumber('from', texts.printFrom, pageCount, shown[0])
  const last = pageNumber('to', texts.printTo, pageCount, Math.min(shown[0] + MAX_PRINTED_PAGES - 1, pageCount))
  const range = radio('range', texts.printRange, false)
  const submit = element('button', { type: 'submit', class: 'button' }, texts.print)
  const problem = element('p', { class: 'problem', role: 'alert' })
  const isLong = pageCount > MAX_PRINTED_PAGES
  const form = element(
    'form',
    { class: 'print' },
    radio('current', shown.length > 1 ? texts.printCurrentTwo : texts.printCurrent, true),
    element('div', { class: 'range' }, range, first, element('span', { 'aria-hidden': 'true' }, '–'), last),
    isLong ? element('p', { class: 'hint' }, texts.printHint(MAX_PRINTED_PAGES)) : undefined,
    radio('whole', texts.printWhole, false),
    isLong ? element('p', { class: 'hint' }, texts.printPdfHint(pageCount)) : undefined,
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
    last.setCustomValidity(texts.printHint(MAX_PRINTED_PAGES))
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
