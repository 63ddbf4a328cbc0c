import { html } from '#platform/http/server/html.ts'
import { documentHead } from './document-head.ts'
import type { Language } from './language.ts'
import { textsOf } from './texts.ts'

/** Writes the page of an earlier address. Its text is read only where the script does not run or finds no token. */
export function forwardPage(language: Language, nonce: string, script: string | undefined): string {
  const { moved, movedHelp } = textsOf(language)
  return html`<!doctype html>
<html lang="${language}">
${documentHead({ title: moved, nonce, metaValues: {} })}
<body class="message">
<main id="content">
<h1>${moved}</h1>
<p>${movedHelp}</p>
</main>
${script !== undefined && html`<script type="module" src="${script}"></script>\n`}</body>
</html>
`.text
}
