import { qrPath } from '../../ui/qr-path.ts'
import { element, makeDialog, svgElement } from '../elements.ts'
import type { ReaderDeps } from '../pages/reader-deps.ts'
import { selectedOnPage } from '../pages/text-layer.ts'
import { passageAddress, passageOf } from '../search/passage.ts'
import { CITATION_FORMATS, type CitationFormat, type CitedPublication, citationOf } from './citation.ts'

type Choice = { name: 'publication' | 'page' | 'passage'; label: string; address: string }

/** Offers links to the publication, the page and the selected passage, a QR code, and citations. */
export function openShare(deps: ReaderDeps): void {
  const { t, data, store } = deps
  const choices = choicesOf(deps)
  const link = readOnly('input', t('link'))
  const code = element('div', { class: 'share-code' })
  const format = element(
    'select',
    { 'aria-label': t('citationFormat') },
    ...CITATION_FORMATS.map((name) => element('option', { value: name }, t(`citation.${name}`))),
  )
  const citation = readOnly('textarea', t('citation'))
  const options = choices.map(({ name, label }, at) => {
    const input = element('input', {
      type: 'radio',
      name: 'share',
      value: name,
      checked: at === 0,
      autofocus: at === 0,
    })
    return element('label', { class: 'choice' }, input, element('span', {}, label))
  })

  function show(): void {
    const chosen = choices[options.findIndex((option) => option.querySelector('input')!.checked)]
    link.value = chosen.address
    code.replaceChildren(qrCode(chosen.address, t('qrCode')))
    const page = chosen.name === 'publication' ? undefined : deps.pages.label(store.current.page)
    const words = {
      page: (label: string) => t('citedPage', { page: label }),
      accessed: (date: string) => t('accessed', { date: localDate(date, data.interfaceLanguage) }),
    }
    citation.value = citationOf(citedPublication(deps, page), format.value as CitationFormat, words)
  }

  const form = element(
    'form',
    { class: 'share' },
    element('fieldset', {}, element('legend', { class: 'unseen' }, t('shareWhat')), ...options),
    withCopyButton(link, deps),
    code,
    element('h3', {}, t('cite')),
    format,
    withCopyButton(citation, deps),
  )
  form.addEventListener('submit', (event) => event.preventDefault())
  form.addEventListener('change', show)
  show()
  makeDialog(t('share'), t('close'), form).showModal()
}

/** Lists the things to share, the most particular first. */
function choicesOf({ data, t, pages, store }: ReaderDeps): Choice[] {
  const { page } = store.current
  const label = pages.label(page)
  const selected = selectedOnPage()
  const choices: Choice[] = [
    { name: 'publication', label: t('sharePublication'), address: data.page },
    {
      name: 'page',
      label: t('sharePage', { page: label }),
      address: page === 1 ? data.page : `${data.page}?page=${page}`,
    },
  ]
  if (selected === undefined) return choices
  const passage = {
    name: 'passage' as const,
    label: t('sharePassage'),
    address: passageAddress(data.page, passageOf(selected)),
  }
  return [passage, ...choices]
}

/** Reads the author and the date that the page states for search engines (JSON-LD). */
function citedPublication({ data }: ReaderDeps, page: string | undefined): CitedPublication {
  const stated = document.querySelector('script[type="application/ld+json"]')?.textContent
  const { creator, datePublished } = JSON.parse(stated ?? '{}') as {
    creator?: { name: string }
    datePublished?: string
  }
  const today = new Date().toISOString().slice(0, 10)
  const publishedOn = datePublished?.slice(0, 10) ?? today
  return { title: data.title, author: creator?.name, publishedOn, readOn: today, address: data.page, page }
}

function localDate(date: string, language: string): string {
  const locale = language === 'en' ? 'en-GB' : language
  return new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(date))
}

function readOnly<Tag extends 'input' | 'textarea'>(tag: Tag, label: string): HTMLElementTagNameMap[Tag] {
  const field = element(tag, { readonly: true, 'aria-label': label, rows: tag === 'textarea' ? 5 : undefined })
  field.addEventListener('focus', () => field.select())
  return field
}

/** Puts a button beside a field that copies its text, and says so on the button. */
function withCopyButton(field: HTMLInputElement | HTMLTextAreaElement, { t, announce }: ReaderDeps): HTMLElement {
  const button = element('button', { type: 'button', class: 'button' }, t('copy'))
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(field.value)
      button.textContent = t('copied')
      announce(t('copied'))
      setTimeout(() => (button.textContent = t('copy')), 2_000)
    } catch {
      // Without permission, such as in a frame, the text is selected for the browser's own command.
      field.select()
    }
  })
  return element('div', { class: 'copy-field' }, field, button)
}

function qrCode(text: string, label: string): SVGElement {
  const { side, path } = qrPath(text)
  return svgElement(
    'svg',
    { viewBox: `0 0 ${side} ${side}`, role: 'img', 'aria-label': label, 'shape-rendering': 'crispEdges' },
    svgElement('rect', { width: side, height: side, fill: '#fff' }),
    svgElement('path', { d: path, fill: '#000' }),
  )
}
