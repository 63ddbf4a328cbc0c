/** Text that is already HTML. All other text is escaped when it is inserted. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Part = Html | string | number | undefined | false | readonly Part[]

/** Template tag for HTML. Escapes inserted values except `Html`, joins lists, and skips undefined and false. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  return new Html(strings.map((text, i) => text + (i < parts.length ? textOf(parts[i]) : '')).join(''))
}

function textOf(part: Part): string {
  if (part === undefined || part === false) return ''
  if (part instanceof Html) return part.text
  if (typeof part === 'object') return part.map(textOf).join('')
  return escapeHtml(String(part))
}

/** Escapes text for elements and quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

/**
 * Writes JSON for a `<script>` that holds data. Browsers unescape nothing inside, but look for its end, so `<` must not
 * appear. The separators U+2028 and U+2029 end lines for older JavaScript parsers.
 */
export function scriptJson(value: unknown): Html {
  return new Html(
    JSON.stringify(value).replace(
      /[<>&\u2028\u2029]/g,
      (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`,
    ),
  )
}

type DocumentHead = {
  title: string
  /** Contents of the `<meta>` elements before the title, by their names. */
  metas?: Readonly<Record<string, string>>
  rest: Html
}

/** Writes the head of a page. */
export function documentHead({ title, metas = { 'color-scheme': 'light dark' }, rest }: DocumentHead): Html {
  return html`<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${metaElements(metas)}<title>${title}</title>
${rest}
</head>`
}

/** Writes a `<meta>` element for each value, by its name. */
export function metaElements(values: Readonly<Record<string, string>>): Html[] {
  return Object.entries(values).map(([name, content]) => html`<meta name="${name}" content="${content}">\n`)
}

/** Files that a page loads, by their addresses. */
export type PageFiles = { style: string; icon: string }

export function fileLinks({ style, icon }: PageFiles): Html {
  return html`<link rel="stylesheet" href="${style}">
<link rel="icon" href="${icon}">`
}

/** Writes a page from its language, head and body, which are elements. */
export function htmlDocument(language: string, head: Html, body: Html): string {
  return html`<!doctype html>
<html lang="${language}">
${head}
${body}
</html>
`.text
}
