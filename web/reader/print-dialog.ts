import type { Announcer } from './announcer.ts'
import { loadImages } from './bounded-images.ts'
import { makeDialog } from './dialog.ts'
import { element } from './elements.ts'
import { type LoadedPages, pageOf } from './loaded-pages.ts'
import type { ReaderTexts } from './texts.ts'

type Parts = {
  texts: ReaderTexts
  pages: LoadedPages
  pageCount: number
  shown: number[]
  announce: Announcer
}

/** Asks which pages are to be printed, loads them and hands them to the browser. */
export function openPrint({ texts, pages, pageCount, shown, announce }: Parts): void {
  const isWhole = pages.from === 1 && pages.to === pageCount
  const choice = (value: string, label: string, checked: boolean) =>
    element(
      'label',
      { class: 'choice' },
      element('input', { type: 'radio', name: 'what', value, checked }),
      element('span', {}, label),
    )
  const number = (name: string, label: string, value: number) =>
    element('input', {
      type: 'number',
      name,
      'aria-label': label,
      value,
      min: pages.from,
      max: pages.to,
      required: true,
    })
  const [first, last] = [number('from', texts.printFrom, pages.from), number('to', texts.printTo, pages.to)]
  const range = choice('range', texts.printRange, false)
  const go = element('button', { type: 'submit', class: 'button' }, texts.print)
  const form = element(
    'form',
    { class: 'print' },
    choice('current', texts.printCurrent, true),
    element('div', { class: 'range' }, range, first, element('span', { 'aria-hidden': 'true' }, '–'), last),
    isWhole ? undefined : element('p', { class: 'hint' }, texts.printHint(pages.from, pages.to)),
    go,
  )
  const dialog = makeDialog(texts.printWhat, texts.cancel, form)
  for (const input of [first, last])
    input.addEventListener('focus', () => {
      range.querySelector('input')!.checked = true
    })
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    const isRange = new FormData(form).get('what') === 'range'
    const [from, to] = isRange ? [Number(first.value), Number(last.value)] : [shown[0], shown[shown.length - 1]]
    go.setAttribute('aria-disabled', 'true')
    go.textContent = texts.preparing
    announce(texts.preparing)
    await printPages(pages, Math.min(from, to), Math.max(from, to), dialog)
  })
  dialog.showModal()
}

async function printPages(pages: LoadedPages, from: number, to: number, dialog: HTMLDialogElement): Promise<void> {
  const isWanted = (section: HTMLElement) => pageOf(section) >= from && pageOf(section) <= to
  const sections = pages.sections()
  await loadImages(sections.filter(isWanted))
  if (!dialog.open) return
  dialog.close()
  for (const section of sections) section.classList.toggle('not-printed', !isWanted(section))
  addEventListener(
    'afterprint',
    () => {
      for (const section of sections) section.classList.remove('not-printed')
    },
    { once: true },
  )
  print()
}
