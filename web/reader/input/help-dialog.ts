import { makeDialog } from '../ui/dialog.ts'
import { element } from '../ui/elements.ts'
import type { ReaderTexts } from '../ui/texts.ts'
import { areLetterShortcutsOn, setLetterShortcuts } from './shortcuts.ts'

/** Opens the list of shortcuts and gestures. */
export function openHelp(texts: ReaderTexts): void {
  const { keys, keyNames } = texts
  const rows: [keys: string[], action: string][] = [
    [[keyNames.left, keyNames.right, keyNames.pageUp, keyNames.pageDown], keys.turn],
    [[keyNames.home, keyNames.end], keys.ends],
    [['G'], keys.goTo],
    [['+', '−', '0'], keys.zoom],
    [['V', 'S'], keys.views],
    [['X'], texts.textView],
    [['O'], texts.contents],
    [['T'], texts.thumbnails],
    [['/'], texts.searchDocument],
    [['N', `${keyNames.shift} N`], keys.hit],
    [['F'], texts.fullScreen],
    [['P'], texts.print],
    [[keyNames.escape], keys.escape],
  ]
  const list = element(
    'dl',
    { class: 'shortcuts' },
    ...rows.map(([names, action]) =>
      element(
        'div',
        {},
        element('dt', {}, ...names.map((name) => element('kbd', {}, name))),
        element('dd', {}, action),
      ),
    ),
  )
  const box = element('input', { type: 'checkbox', checked: areLetterShortcutsOn() })
  box.addEventListener('change', () => setLetterShortcuts(box.checked))
  const letters = element('label', { class: 'choice' }, box, element('span', {}, texts.letters))
  makeDialog(texts.shortcuts, texts.close, list, letters, element('p', { class: 'hint' }, texts.gestures)).showModal()
}
