import { html } from '#platform/http/server/html.ts'
import { documentHead } from './document-head.ts'
import type { Language } from './language.ts'
import { type Texts, textsOf } from './texts.ts'

type Message = { status: number; language: Language; nonce: string; requestId: string }

/** Writes a page that says why there is nothing to see. */
export function messagePage({ status, language, nonce, requestId }: Message): string {
  const texts = textsOf(language)
  const [title, help] = messageOf(status, texts)
  return html`<!doctype html>
<html lang="${language}">
${documentHead({ title, nonce, metaValues: {} })}
<body class="message">
<main id="content">
<h1>${title}</h1>
<p>${help}</p>
${status >= 500 && html`<p class="request">${texts.request(requestId)}</p>\n`}</main>
</body>
</html>
`.text
}

function messageOf(status: number, texts: Texts): [title: string, help: string] {
  if (status === 410) return [texts.over, texts.overHelp]
  if (status === 429) return [texts.busy, texts.busyHelp]
  return status < 500 ? [texts.unknown, texts.unknownHelp] : [texts.broken, texts.brokenHelp]
}
