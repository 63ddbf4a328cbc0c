import { element, makeDialog } from '../elements.ts'
import type { ReaderDeps } from '../pages/reader-deps.ts'
import type { Viewer } from '../pages/viewer.ts'
import { type Appearance, chooseAppearance, currentAppearance, THEMES } from './appearance.ts'

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
