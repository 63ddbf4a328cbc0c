const SVG = 'http://www.w3.org/2000/svg'

type Attributes = Record<string, string | number | boolean | undefined>

/** Makes an element. The value true gives an attribute without a value; false and undefined leave it out. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: (Node | string | undefined)[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag)
  setAttributes(made, attributes)
  made.append(...children.filter((child) => child !== undefined))
  return made
}

/** Makes a decorative icon of 24 by 24 units, drawn as lines along a path. */
export function icon(path: string): SVGElement {
  const line = svgElement('path', { d: path })
  return svgElement('svg', { viewBox: '0 0 24 24', class: 'icon', 'aria-hidden': 'true' }, line)
}

/** Makes an element of SVG. */
export function svgElement(tag: string, attributes: Attributes, ...children: Node[]): SVGElement {
  const made = document.createElementNS(SVG, tag)
  setAttributes(made, attributes)
  made.append(...children)
  return made
}

/** Makes a button that shows an icon and has the label as its accessible name. */
export function iconButton(
  label: string,
  path: string,
  onClick: () => void,
  attributes: Attributes = {},
): HTMLButtonElement {
  const made = element(
    'button',
    { type: 'button', class: 'tool', 'aria-label': label, title: label, ...attributes },
    icon(path),
  )
  made.append(element('span', { class: 'tool-label', 'aria-hidden': 'true' }, label))
  made.addEventListener('click', onClick)
  return made
}

function setAttributes(made: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes))
    if (value !== undefined && value !== false) made.setAttribute(name, value === true ? '' : String(value))
}

/** SVG paths, drawn as lines within 24 by 24 units. */
export const icons = {
  bookmark: 'M7 3h10v18l-5-4.5L7 21z',
  contents: 'M4 6h.01M8 6h12M4 12h.01M8 12h12M4 18h.01M8 18h12',
  thumbnails: 'M4 4h6v7H4zM14 4h6v7h-6zM4 15h6v5H4zM14 15h6v5h-6z',
  search: 'M11 4a7 7 0 1 0 0 14a7 7 0 0 0 0-14zM16 16l5 5',
  previous: 'M15 5l-7 7l7 7',
  next: 'M9 5l7 7l-7 7',
  up: 'M6 15l6-6l6 6',
  down: 'M6 9l6 6l6-6',
  zoomIn: 'M12 5v14M5 12h14',
  zoomOut: 'M5 12h14',
  scroll: 'M6 2v7h12V2M6 22v-9h12v9',
  single: 'M6 3h12v18H6z',
  text: 'M4 6h16M4 10h16M4 14h16M4 18h9',
  spread: 'M3 5h9v14H3zM12 5h9v14h-9z',
  display: 'M12 4a8 8 0 1 0 0 16zM12 4a8 8 0 0 1 0 16M14 8h3.5M14 12h6M14 16h3.5',
  readAloud: 'M4 10v4h3.5L12 18V6L7.5 10zM15.5 9a4.2 4.2 0 0 1 0 6M18 6.5a8 8 0 0 1 0 11',
  pause: 'M9 5v14M15 5v14',
  share: 'M12 15V3M7.5 7L12 3l4.5 4M6 11H4v10h16V11h-2',
  print: 'M7 8V3h10v5M7 17H4V8h16v9h-3M7 14h10v7H7z',
  download: 'M12 4v11M7 11l5 5l5-5M5 20h14',
  fullScreen: 'M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5',
  help: 'M12 3a9 9 0 1 0 0 18a9 9 0 0 0 0-18zM9.5 9.5a2.5 2.5 0 1 1 3.6 2.2c-.8.4-1.1.9-1.1 1.8M12 16.8v.1',
  more: 'M5 12h.01M12 12h.01M19 12h.01',
  close: 'M6 6l12 12M18 6L6 18',
}

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
