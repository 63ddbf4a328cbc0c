import { readPageTexts } from '#platform/pages/page-texts.ts'
import english from './first-words.en.json' with { type: 'json' }

const END_OF_HEAD = '</head>'

/**
 * Inserts values into the head of the built page, each as a `<meta>` with its name.
 * @throws Error for a page without a head
 */
export function fillPage(html: string, values: Record<string, string>): string {
  const at = html.indexOf(END_OF_HEAD)
  if (at < 0) throw new Error('The page of the dashboard has no head')
  const metas = Object.entries(values).map(([name, value]) => meta(name, value))
  return `${html.slice(0, at)}${metas.join('')}${html.slice(at)}`
}

/** Writes the first words of the built page in a language, and the nonce of this answer to their styles. */
export function fillFirstWords(html: string, { language, nonce }: { language: string; nonce: string }): string {
  return html
    .replace('<html lang="en">', `<html lang="${language}">`)
    .replace('<style>', `<style nonce="${nonce}">`)
    .replace(firstWords.of('en')('loading'), firstWords.of(language)('loading'))
}

/** The words of the page before its program has come. */
export const firstWords = readPageTexts<keyof typeof english>(new URL('first-words.en.json', import.meta.url))

function meta(name: string, content: string): string {
  return `<meta name="${name}" content="${escapeAttribute(content)}">`
}

function escapeAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** Shown instead of the dashboard until it is built. */
export const notBuiltPage = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Trackpress</title></head>
<body>
<h1>The dashboard is not built</h1>
<p>The server and its API are running, but the pages of the dashboard are missing.
Build them in the program's folder, then reload this page:</p>
<pre>npm install
node scripts/build-web.ts</pre>
</body>
</html>
`
