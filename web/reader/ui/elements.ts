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
  const svg = document.createElementNS(SVG, 'svg')
  setAttributes(svg, { viewBox: '0 0 24 24', class: 'icon', 'aria-hidden': 'true' })
  const line = document.createElementNS(SVG, 'path')
  line.setAttribute('d', path)
  svg.append(line)
  return svg
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
