import { html } from '#platform/http/server/html.ts'
import { interfaceTexts } from './interface-texts.ts'
import type { InterfaceLanguage } from './language.ts'
import { commonHead, SITE_NAME } from './page-head.ts'

/** Writes a page that says why there is no publication, in the design of the public page. */
export function messagePage(
  status: number,
  { language, styleAddress, requestId }: { language: InterfaceLanguage; styleAddress: string; requestId: string },
): string {
  const message = messageOf(status)
  const texts = interfaceTexts(language)
  const [title, detail] = {
    notFound: [texts.notFound, texts.notFoundDetail],
    unpublished: [texts.unpublished, texts.unpublishedDetail],
    busy: [texts.busy, texts.busyDetail],
    broken: [texts.broken, texts.brokenDetail],
  }[message]
  return html`<!doctype html>
<html lang="${language}">
${commonHead(title, styleAddress, html`<meta name="robots" content="noindex">`)}
<body class="message">
<main>
<p class="code">${status}</p>
<h1>${title}</h1>
<p>${detail}</p>
${message === 'broken' && html`<p class="request">${texts.brokenRequest(requestId)}</p>\n`}</main>
<footer class="foot"><p>${SITE_NAME}</p></footer>
</body>
</html>
`.text
}

function messageOf(status: number): 'notFound' | 'unpublished' | 'busy' | 'broken' {
  if (status === 404) return 'notFound'
  if (status === 429 || status === 503) return 'busy'
  return status === 410 ? 'unpublished' : 'broken'
}
