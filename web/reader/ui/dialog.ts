import { element, iconButton } from './elements.ts'
import { icons } from './icons.ts'

let dialogs = 0

/** Makes a dialog with a title and a close button; closing removes it from the page. */
export function makeDialog(title: string, close: string, ...content: Node[]): HTMLDialogElement {
  const id = `reader-dialog-${++dialogs}`
  const dialog = element('dialog', { class: 'reader-dialog', 'aria-labelledby': id })
  const head = element(
    'header',
    {},
    element('h2', { id }, title),
    iconButton(close, icons.close, () => dialog.close()),
  )
  dialog.append(head, element('div', { class: 'dialog-body' }, ...content))
  dialog.addEventListener('close', () => dialog.remove())
  dialog.addEventListener('click', ({ target, clientX, clientY }) => {
    // The browser reports a click on the backdrop as a click on the dialog.
    const { left, right, top, bottom } = dialog.getBoundingClientRect()
    const isInside = clientX >= left && clientX <= right && clientY >= top && clientY <= bottom
    if (target === dialog && !isInside) dialog.close()
  })
  document.body.append(dialog)
  return dialog
}
