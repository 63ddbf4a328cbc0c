import { storeText } from '../../ui/stored-text.ts'
import { element, makeDialog } from '../elements.ts'
import type { ReaderDeps } from '../pages/reader-deps.ts'
import type { Viewer } from '../pages/viewer.ts'

/** Colours of the reader; undefined for the system's. */
const THEMES = ['light', 'sepia', 'dark'] as const
type Theme = (typeof THEMES)[number]

/** Choices of the reader on this device. */
type Appearance = { theme?: Theme; isDimmed: boolean }

/** The script in the head of the page uses this key as well. */
const STORAGE_KEY = 'reader.appearance'

/** Offers the colours of the reader and the sizes of its pages, and to present them on the whole screen. */
export function openDisplay({ t, store }: ReaderDeps, viewer: Viewer, present: () => void): void {
  const { theme, isDimmed } = currentAppearance()
  const themes = [undefined, ...THEMES].map((name) => {
    const value = name ?? 'automatic'
    const input = element('input', { type: 'radio', name: 'theme', value, checked: name === theme })
    return element('label', { class: 'choice' }, input, element('span', {}, t(`themes.${value}`)))
  })
  const dim = element('input', { type: 'checkbox', name: 'dim', checked: isDimmed })
  const form = element(
    'form',
    { class: 'display' },
    element('fieldset', {}, element('legend', {}, t('colours')), ...themes),
    element('label', { class: 'choice' }, dim, element('span', {}, t('dimPages'))),
  )
  form.addEventListener('change', () => {
    const chosen = new FormData(form).get('theme')
    const appearance: Appearance = { theme: THEMES.find((name) => name === chosen), isDimmed: dim.checked }
    chooseAppearance(appearance)
  })
  const dialog = makeDialog(t('display'), t('close'), form)
  const button = (label: string, act: () => void) => {
    const made = element('button', { type: 'button', class: 'button quiet' }, label)
    made.addEventListener('click', () => {
      dialog.close()
      act()
    })
    return made
  }
  if (!store.current.isText)
    form.append(
      element(
        'fieldset',
        { class: 'sizes' },
        element('legend', {}, t('size')),
        button(t('zoomReset'), () => viewer.zoomTo(1)),
        button(t('fitWidth'), () => viewer.fitWidth()),
        button(t('actualSize'), () => viewer.zoomToScale(1)),
        button(t('rotate'), () => viewer.rotate()),
      ),
    )
  if (document.fullscreenEnabled) form.append(button(t('present'), present))
  dialog.showModal()
}

/** Returns the colours of the page as they are now. */
function currentAppearance(): Appearance {
  const { dataset, classList } = document.documentElement
  return { theme: THEMES.find((theme) => theme === dataset.theme), isDimmed: classList.contains('dimmed') }
}

/** Applies colours, and keeps them for the next visit. */
function chooseAppearance({ theme, isDimmed }: Appearance): void {
  const { dataset, classList } = document.documentElement
  if (theme === undefined) delete dataset.theme
  else dataset.theme = theme
  classList.toggle('dimmed', isDimmed)
  storeText(STORAGE_KEY, JSON.stringify({ theme, isDimmed }))
}
