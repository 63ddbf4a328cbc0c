import type { Commands } from '../input/commands.ts'
import { element } from '../ui/elements.ts'
import type { ReaderTexts } from '../ui/texts.ts'

export type PageField = { form: HTMLFormElement; show(page: number): void }

type Deps = {
  texts: ReaderTexts
  pageCount: number
  commands: Pick<Commands, 'goTo' | 'focusPage'>
}

/** Makes a field that shows the number of the current page and goes to the number entered, with the focus. */
export function makePageField({ texts, pageCount, commands }: Deps): PageField {
  let current = 1
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
  const showCurrent = () => {
    input.value = String(current)
    input.setCustomValidity('')
  }

  async function submit(): Promise<void> {
    const value = input.value.trim()
    const page = /^\d+$/.test(value) ? Number(value) : 0
    if (page < 1 || page > pageCount) {
      input.setCustomValidity(texts.noSuchPage(pageCount))
      input.reportValidity()
      return input.select()
    }
    await commands.goTo(page)
    commands.focusPage()
  }

  form.noValidate = true
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void submit()
  })
  input.addEventListener('input', () => input.setCustomValidity(''))
  input.addEventListener('focus', () => input.select())
  input.addEventListener('blur', showCurrent)
  input.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return
    event.stopPropagation()
    commands.focusPage()
  })
  return {
    form,
    show(page) {
      const isTyping = document.activeElement === input && input.value !== String(current)
      current = page
      if (!isTyping) showCurrent()
    },
  }
}
