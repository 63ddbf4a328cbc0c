import { type Html, html, slugOf } from '../server/html.ts'
import type { Operation } from './operations.ts'

/** Writes the table of contents: collapsed on a phone, always open on a wide screen. */
export function contents(
  conventions: readonly string[],
  groups: readonly { name: string; operations: readonly Operation[] }[],
  objects: readonly string[],
): Html {
  return html`<nav aria-label="Contents">
<details>
<summary>Contents</summary>
<div class="contents">
${part('conventions', 'Conventions', [
  ...conventions.map((heading) => link(slugOf(heading), heading)),
  link('errors-of-every-operation', 'Errors of every operation'),
])}
${groups.map(({ name, operations }) => part(slugOf(name), name, operations.map(operationLink)))}
${part(
  'objects',
  'Objects',
  objects.map((title) => link(`object-${slugOf(title)}`, title)),
)}
</div>
</details>
</nav>`
}

function part(address: string, heading: string, links: readonly Html[]): Html {
  return html`<p><a href="#${address}">${heading}</a></p>
<ul>
${links.map((one) => html`<li>${one}</li>\n`)}</ul>
`
}

function link(address: string, words: string): Html {
  return html`<a href="#${address}">${words}</a>`
}

function operationLink({ id, method, summary }: Operation): Html {
  return html`<a href="#${id}"><span class="method ${method}">${method.toUpperCase()}</span> ${summary}</a>`
}
