import { type Html, html } from '#platform/http/server/html.ts'
import type { OutlineEntry } from '../../domain/document-facts.ts'
import type { InterfaceTexts } from './interface-texts.ts'
import type { PublicPageView } from './page-view.ts'
import { pageAnchor } from './parts.ts'

type Branch = { entry: OutlineEntry; branches: Branch[] }

/** Writes the table of contents as nested lists of links; undefined if the document has none. */
export function outlineNav(view: PublicPageView, texts: InterfaceTexts): Html | undefined {
  if (view.outline.length === 0) return undefined
  const link = ({ title, page, uri }: OutlineEntry): Html => {
    if (page !== undefined)
      return html`<a href="${pageAnchor(page, view.part, view.pageCount, view.addresses.page)}" dir="auto">${title}</a>`
    if (uri !== undefined) return html`<a href="${uri}" rel="noopener nofollow ugc" dir="auto">${title}</a>`
    return html`<span dir="auto">${title}</span>`
  }
  const list = (branches: Branch[]): Html => html`<ol>
${branches.map(({ entry, branches: below }) => html`<li>${link(entry)}${below.length > 0 && list(below)}</li>\n`)}</ol>`

  return html`<nav class="outline" aria-label="${texts.contents}">
<p class="outline-title" aria-hidden="true">${texts.contents}</p>
<details><summary>${texts.contents}</summary>
<div lang="${view.documentLanguage}">${list(outlineTree(view.outline))}</div></details>
</nav>`
}

/** Builds the tree of entries: each belongs to the last shallower one before it. */
function outlineTree(entries: readonly OutlineEntry[]): Branch[] {
  const roots: Branch[] = []
  const path: Branch[] = []
  for (const entry of entries) {
    while (path.length > 0 && path.at(-1)!.entry.depth >= entry.depth) path.pop()
    const branch = { entry, branches: [] }
    const siblings = path.at(-1)?.branches ?? roots
    siblings.push(branch)
    path.push(branch)
  }
  return roots
}
