import type { CataloguedPage } from '../pages/page-list.ts'
import type { Announcer } from '../ui/announcer.ts'
import { makeDialog } from '../ui/dialog.ts'
import { element } from '../ui/elements.ts'
import type { ReaderTexts } from '../ui/texts.ts'
import { openPdf } from './open-pdf.ts'
import { MAX_PRINTED, printSheets } from './print-sheets.ts'

type Parts = {
  texts: ReaderTexts
  pageCount: number
  shown: number[]
  /** All pages of the document. */
  catalogue(): Promise<CataloguedPage[]>
  /** Where the API says where the PDF is. */
  pdf: string
  announce: Announcer
}

type Range = { from: number; to: number }

/** Asks what is to be printed and hands it to the browser: some pages as their images, very many as the PDF. */
export function openPrint(parts: Parts): void {
  const { texts, pageCount, shown, announce } = parts
  const { form, wanted, go } = printForm(parts)
  const dialog = makeDialog(texts.printWhat, texts.cancel, form)
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    const range = wanted({ from: shown[0], to: shown[shown.length - 1] })
    if (range === undefined || go.hasAttribute('aria-disabled')) return
    go.setAttribute('aria-disabled', 'true')
    go.textContent = texts.preparing
    announce(texts.preparing)
    const isOpen = () => dialog.open
    const print = isAsPdf(range) ? openPdf(parts.pdf) : printSheets(await parts.catalogue(), range, isOpen)
    await print.catch(() => announce(texts.loadFailed))
    dialog.close()
  })
  dialog.showModal()

  function isAsPdf({ from, to }: Range): boolean {
    return from === 1 && to === pageCount && pageCount > MAX_PRINTED
  }
}

function printForm({ texts, pageCount, shown }: Parts) {
  const first = pageNumber('from', texts.printFrom, pageCount, shown[0])
  const last = pageNumber('to', texts.printTo, pageCount, Math.min(shown[0] + MAX_PRINTED - 1, pageCount))
  const range = choice('range', texts.printRange, false)
  const go = element('button', { type: 'submit', class: 'button' }, texts.print)
  const isLong = pageCount > MAX_PRINTED
  const form = element(
    'form',
    { class: 'print' },
    choice('current', shown.length > 1 ? texts.printCurrentTwo : texts.printCurrent, true),
    element('div', { class: 'range' }, range, first, element('span', { 'aria-hidden': 'true' }, '–'), last),
    isLong ? element('p', { class: 'hint' }, texts.printHint(MAX_PRINTED)) : undefined,
    choice('whole', texts.printWhole, false),
    isLong ? element('p', { class: 'hint' }, texts.printPdfHint(pageCount)) : undefined,
    go,
  )
  for (const input of [first, last]) {
    input.addEventListener('focus', () => {
      range.querySelector('input')!.checked = true
    })
    input.addEventListener('input', () => last.setCustomValidity(''))
  }

  /** What is chosen; undefined where it is more than can be printed at a time, which the field then says. */
  function wanted(current: Range): Range | undefined {
    const what = new FormData(form).get('what')
    if (what === 'whole') return { from: 1, to: pageCount }
    if (what === 'current') return current
    const [a, b] = [Number(first.value), Number(last.value)]
    if (Math.abs(b - a) < MAX_PRINTED) return { from: Math.min(a, b), to: Math.max(a, b) }
    last.setCustomValidity(texts.printHint(MAX_PRINTED))
    last.reportValidity()
    return undefined
  }

  return { form, wanted, go }
}

function choice(value: string, label: string, checked: boolean): HTMLElement {
  const input = element('input', { type: 'radio', name: 'what', value, checked, autofocus: checked })
  return element('label', { class: 'choice' }, input, element('span', {}, label))
}

function pageNumber(name: string, label: string, max: number, value: number): HTMLInputElement {
  return element('input', { type: 'number', name, 'aria-label': label, value, min: 1, max, required: true })
}
