import type { Commands } from '../input/commands.ts'
import { element } from '../ui/elements.ts'
import type { ReaderTexts } from '../ui/texts.ts'

export type PageField = { form: HTMLFormElement; show(page: number): void }

/** Makes a field that shows the number of the current page and goes to the number entered. */
export function makePageField(texts: ReaderTexts, pageCount: number, goTo: Commands['goTo']): PageField {
  const input = element('input', {
    id: 'reader-page',
    inputmode: 'numeric',
    autocomplete: 'off',
    'aria-label': `${texts.page} (${texts.of(pageCount)})`,
    size: String(pageCount).length,
  })
  const form = element(
    'form',
    { class: 'page-field' },
    input,
    element('span', { 'aria-hidden': 'true' }, `/ ${pageCount}`),
  )
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    const page = Number(input.value.trim())
    if (Number.isFinite(page) && page > 0) goTo(page)
    input.select()
  })
  input.addEventListener('focus', () => input.select())
  return {
    form,
    show(page: number): void {
      input.value = String(page)
    },
  }
}
